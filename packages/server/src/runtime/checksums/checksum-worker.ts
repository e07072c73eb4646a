import { parentPort, workerData } from 'node:worker_threads';
import { digestInThread } from '@htskit/drs/internal';
import { lowerPriority } from '@htskit/io/workers';
import { fileSource } from '@htskit/storage/file';
import { portSource } from '../coverage/source-port.js';
import type { ChecksumTask } from './checksum-maker.js';

// Requests come first.
lowerPriority();
const { input, ...stat } = workerData as ChecksumTask;
const source = typeof input === 'string' ? fileSource(input) : portSource(input);
try {
  const { size, version } = stat;
  parentPort?.postMessage(await digestInThread(source, version === undefined ? { size } : { size, version }));
} finally {
  await source.close?.();
}
