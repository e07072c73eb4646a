import { Worker } from 'node:worker_threads';
import { FormatError, type RecordConverter } from '@htskit/formats';
import { relocateError } from '@htskit/formats/internal';
import { type BorrowedBytes, concatBytes } from '@htskit/io';
import { mapInOrder } from '@htskit/io/internal';
import { WorkerError, WorkerPool } from '@htskit/io/workers';
import type { ContainerSetting, ContainerWorkers, CramContainer } from '@htskit/records/internal';
import type { ReferenceSearch } from '../../stored-file/reference-search.js';
import type { ViewJob, ViewWorkerData } from './view-job.js';

/** Jobs of each kind in progress for each thread, so that it never waits for the next one. */
const JOBS_PER_THREAD = 2;

/** The least bytes of records of a job, which take some ten milliseconds. */
const JOB_BYTES = 2 ** 20;

/** Works from `src` as well as from `dist`: workers run the build even when tests run the sources. */
const SCRIPT = new URL('../../../dist/commands/view/view-worker.js', import.meta.url);

export interface ViewThreadsOptions {
  /** The number of threads. */
  readonly threads: number;
  /** The places of the bases of CRAM, where each thread looks by itself. */
  readonly reference: ReferenceSearch;
  /** Stops the threads. */
  readonly signal: AbortSignal;
}

/** Threads that decode the CRAM of one file, and write its reads as SAM text. They start with the first job. */
export class ViewThreads implements ContainerWorkers {
  readonly ahead: number;
  readonly #options: ViewThreadsOptions;
  #pool: WorkerPool<ViewJob, readonly Uint8Array[]> | undefined;

  constructor(options: ViewThreadsOptions) {
    this.#options = options;
    this.ahead = JOBS_PER_THREAD * options.threads;
    options.signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  decode(container: CramContainer, setting: ContainerSetting): Promise<readonly Uint8Array[] | undefined> {
    const blocks = new Uint8Array(container.blocks);
    const job = { kind: 'decode' as const, container: { ...container, blocks } };
    return this.#run(job, { header: setting.header, cram: setting }, blocks);
  }

  /**
   * Converts pieces of whole BAM records to SAM text, in order. Pieces with invalid records are converted on this thread, by
   * `converter`. Throws the errors of `converter`, and `WorkerError`.
   */
  async *toSam(
    pieces: AsyncIterable<Uint8Array>,
    { header, converter }: Pick<ViewWorkerData, 'header'> & { readonly converter: RecordConverter },
  ): AsyncGenerator<BorrowedBytes, void> {
    const run = async (batch: Batch) => {
      // A copy: the pieces stay here for `converter`, and a cache may keep them.
      const records = new Uint8Array(concatBytes(batch.pieces));
      return { batch, text: await this.#run({ kind: 'text', records }, { header }, records) };
    };
    for await (const { batch, text } of mapInOrder(batchPieces(pieces), { run, ahead: this.ahead })) {
      yield* text ?? convertHere(batch, converter);
    }
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    await this.#pool?.close();
  }

  /** Runs a job. Returns undefined if it fails: errors lose their class between threads, so its caller does it again. */
  async #run(
    job: ViewJob,
    data: Omit<ViewWorkerData, 'reference'>,
    { buffer }: Uint8Array<ArrayBuffer>,
  ): Promise<readonly Uint8Array[] | undefined> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    this.#pool ??= this.#createPool(data);
    try {
      return await this.#pool.run(job, [buffer]);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WorkerError && error.code === 'JOB_FAILED') return undefined;
      throw error;
    }
  }

  #createPool(data: Omit<ViewWorkerData, 'reference'>): WorkerPool<ViewJob, readonly Uint8Array[]> {
    const { threads, reference } = this.#options;
    const workerData: ViewWorkerData = { ...data, reference };
    return new WorkerPool({ spawn: () => new Worker(SCRIPT, { workerData, execArgv: [] }), size: threads });
  }
}

/** Consecutive pieces. */
interface Batch {
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all pieces before. */
  readonly offset: number;
}

/** Groups pieces into jobs. Throws the errors of `pieces`, after the pieces before. */
async function* batchPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Batch, void> {
  let batch: Uint8Array[] = [];
  let [start, offset] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      batch.push(piece);
      offset += piece.length;
      if (offset - start < JOB_BYTES) continue;
      yield { pieces: batch, offset: start };
      batch = [];
      start = offset;
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield { pieces: batch, offset: start };
  if (failure !== undefined) throw failure.error;
}

function* convertHere({ pieces, offset }: Batch, converter: RecordConverter): Generator<BorrowedBytes, void> {
  try {
    for (const piece of pieces) yield* converter.push(piece);
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, offset) : error;
  }
}
