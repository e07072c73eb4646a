import { Worker } from 'node:worker_threads';
import type { OpenProgress } from '@htskit/sequences/internal';
import type { Blocking } from '@htskit/storage/file';
import type { FastaSettings, FileTable } from './fasta-table.node.js';

/** The file whose table a worker reads. */
export interface TableJob extends FastaSettings {
  readonly file: string;
  /** The version of the file. Digests of another version are not loaded. */
  readonly dataVersion: string;
  readonly blocking: Blocking | undefined;
}

/** A message of the worker. The last two end it. */
export type TableMessage =
  | { readonly kind: 'progress'; readonly progress: OpenProgress }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'table'; readonly table: FileTable }
  | { readonly kind: 'failure'; readonly message: string; readonly isTransient: boolean };

/** Thrown for a file whose table could not be read by a worker. */
export class TableError extends Error {
  override readonly name = 'TableError';
  /** Whether the failure may pass without a change of the file. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

export interface TableJobOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: OpenProgress) => void;
  /** Receives failures to cache the digests, and what is not served of the file. Neither fails the file. */
  readonly warn: (message: string) => void;
}

/** Resolves to the same file from `src` and from `dist`: tests run the sources, but workers always run the build. */
const SCRIPT = new URL('../../../dist/sequences/table/table-worker.node.js', import.meta.url);

/**
 * Reads the table of a FASTA or 2bit file in a worker thread, so that millions of sequences do not hold up this one. The
 * columns are moved, not copied. Rejects with TableError, and with the reason of the signal.
 */
export async function readTableInWorker(
  job: TableJob,
  { signal, onProgress, warn }: TableJobOptions,
): Promise<FileTable> {
  signal.throwIfAborted();
  const worker = new Worker(SCRIPT, { workerData: job, execArgv: [] });
  const abort = (): void => void worker.terminate();
  signal.addEventListener('abort', abort);
  const result = new Promise<FileTable>((resolve, reject) => {
    worker.on('message', (message: TableMessage) => {
      if (message.kind === 'progress') onProgress(message.progress);
      else if (message.kind === 'warning') warn(message.message);
      else if (message.kind === 'table') resolve(message.table);
      else reject(new TableError(message.message, message.isTransient));
    });
    worker.on('error', (error) => reject(new TableError(`the worker failed: ${error.message}`, false)));
    worker.on('exit', () => reject(signal.aborted ? signal.reason : new TableError('the worker ended', false)));
  });
  try {
    return await result;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
