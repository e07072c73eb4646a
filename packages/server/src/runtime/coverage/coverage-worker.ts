import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '@htskit/io/workers';
import { writeCoverageFile } from '../../coverage/coverage-file.js';
import type { CoverageTask } from './coverage-maker.js';
import { portSource } from './source-port.js';

// Requests come first.
lowerPriority();
const { input: offered, output } = workerData as CoverageTask;
const input = typeof offered === 'string' ? offered : portSource(offered);
const controller = new AbortController();
parentPort?.once('message', () => controller.abort());
parentPort?.unref();
const { signal } = controller;
// One name for each output, so that what a process that was killed leaves is overwritten.
try {
  const options = { workers: 0, signal, temporary: `${output}.part`, onWarning: () => undefined };
  await writeCoverageFile(input, output, options);
} finally {
  if (typeof input !== 'string') await input.close?.();
}
