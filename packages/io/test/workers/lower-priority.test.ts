import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { JobWorker } from '../../src/workers/index.js';

const script = new URL('./background-worker.mjs', import.meta.url);

// A priority cannot be raised again, so that a lower one of the whole process is kept.
test.runIf(process.platform === 'linux')('lowers the priority of its thread alone', async () => {
  const worker = new JobWorker<null, number>(new Worker(script, { execArgv: [] }));
  const before = getPriority();
  expect(await worker.run(null)).toBe(Math.max(10, before));
  expect(getPriority()).toBe(before);
  await worker.close();
});
