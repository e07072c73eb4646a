import { expect, test } from 'vitest';
import * as workers from '../../src/workers/index.js';

test('the exports are the public API', () => {
  expect(Object.keys(workers).toSorted()).toMatchInlineSnapshot(`
    [
      "FairQueue",
      "JobWorker",
      "SessionPool",
      "WorkerError",
      "WorkerPool",
      "availableThreads",
      "hasWorkers",
      "lowerPriority",
      "serveJobs",
      "serveSessions",
    ]
  `);
});
