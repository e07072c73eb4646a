import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '@htskit/io/workers';
import { writeCoverageFile } from '../../coverage/coverage-file.js';
import type { CoverageJob } from './coverage-maker.js';

// Requests come first.
lowerPriority();
const { path, output } = workerData as CoverageJob;
const controller = new AbortController();
parentPort?.once('message', () => controller.abort());
parentPort?.unref();
const { signal } = controller;
// One name for each output, so that what a process that was killed leaves is overwritten.
await writeCoverageFile(path, output, { workers: 0, signal, temporary: `${output}.part`, onWarning: () => undefined });
