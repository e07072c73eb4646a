import { expect, test } from 'vitest';
import * as workers from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(workers).toSorted()).toMatchInlineSnapshot(`
    [
      "JobWorker",
      "WorkerError",
      "WorkerPool",
      "availableThreads",
      "hasWorkers",
      "serveJobs",
    ]
  `);
});
