import { expect, test } from 'vitest';
import * as workers from '../src/index.js';

test('the exports are the public API', () => {
  expect(Object.keys(workers).toSorted()).toMatchInlineSnapshot(`
    [
      "JobWorker",
      "SessionPool",
      "WorkerError",
      "WorkerPool",
      "availableThreads",
      "hasWorkers",
      "serveJobs",
      "serveSessions",
    ]
  `);
});
