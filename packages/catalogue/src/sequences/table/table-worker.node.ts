import { parentPort, workerData } from 'node:worker_threads';
import { StorageError } from '@htskit/io';
import { describeError, isSystemError } from '../../files/file-errors.node.js';
import { digestFile } from '../digest-file.node.js';
import { readSequenceTable } from '../sequence-file.node.js';
import type { TableJob, TableMessage } from './table-job.node.js';

/** Bytes of the file between two reports of the progress. */
const REPORTED_BYTES = 2 ** 22;

const { file, cache, characters, dataVersion, blocking } = workerData as TableJob;

function post(message: TableMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

/** Returns the buffers of all columns, each once: the columns of saved digests share one. */
function buffersOf(value: unknown): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) return new Set([value.buffer as ArrayBuffer]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((part: unknown) => [...buffersOf(part)]));
}

const warn = (message: string): void => post({ kind: 'warning', message });

let reportedBytes = 0;
try {
  const table = await readSequenceTable(file, {
    digestCache: digestFile(file, {
      cache,
      dataVersion,
      onError: (error) => warn(describeError(error)),
    }),
    cache,
    characters,
    dataVersion,
    warn,
    blocking,
    onProgress(progress) {
      if (progress.bytesRead < reportedBytes + REPORTED_BYTES) return;
      reportedBytes = progress.bytesRead;
      post({ kind: 'progress', progress });
    },
  });
  post({ kind: 'table', table }, [...buffersOf(table)]);
} catch (error) {
  const isTransient = error instanceof StorageError || isSystemError(error);
  post({ kind: 'failure', message: describeError(error), isTransient });
}
