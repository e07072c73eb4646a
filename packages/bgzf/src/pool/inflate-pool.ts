import { availableThreads, hasWorkers, WorkerPool } from '@htskit/io/workers';
import { spawnCodecWorker } from '#spawn-codec-worker';
import { type InflatedBatch, inflateBatches } from './inflate-batches.js';
import {
  batchBlocks,
  type CodecJobResult,
  createInputSlot,
  createSlot,
  type InflateJob,
  runInflateJob,
  type Slot,
} from './inflate-job.js';

export interface InflatePoolOptions {
  /** Bytes from the start of the file to the first block. Default 0. */
  readonly coffset?: number;
  /** The number of workers of the pool that inflate this stream. Default: all. */
  readonly workers?: number;
  /** Whether the memory of a piece is used again once the iteration continues. Default: the caller may keep it. */
  readonly isBorrowed?: boolean;
}

/** Consecutive blocks that were inflated. */
export interface InflatedBlocks {
  /** The data of the blocks. */
  readonly data: Uint8Array;
  /** The offset of each block in the file, and the size of its data. */
  readonly blocks: InflatedBatch['batch']['blocks'];
  /** The offset of the next block. */
  readonly end: number;
}

/**
 * Inflates streams on workers to memory that the caller may keep: what a worker has inflated is passed on without a copy. A
 * bundle that has no other pool lacks the code that deflates.
 */
export class InflatePool {
  readonly #pool: WorkerPool<InflateJob, CodecJobResult> = new WorkerPool({ spawn: spawnCodecWorker });

  /**
   * Yields the data of a stream of blocks in order and verified, in pieces of up to 2 MiB. A stream that is slower than a worker is
   * inflated as its chunks arrive. Throws the same errors as `inflateStream`, after the same data, and WorkerError.
   */
  async *inflate(
    chunks: AsyncIterable<Uint8Array>,
    { coffset = 0, workers = availableThreads(), isBorrowed = false }: InflatePoolOptions = {},
  ): AsyncGenerator<InflatedBlocks, void> {
    const slots: Slot[] = [];
    /** Slots that are filled, or whose data has not been taken. */
    let used = 0;
    const acquireSlot = (): Slot => {
      used++;
      return slots.pop() ?? (isBorrowed ? createSlot() : createInputSlot());
    };
    const batches = batchBlocks(chunks, { coffset, acquireSlot, isIdle: () => used === 1 });
    const run = (job: InflateJob): Promise<CodecJobResult> => this.#run(job, workers);
    for await (const { batch, output } of inflateBatches(batches, { run, threads: workers })) {
      used--;
      if (!isBorrowed) slots.push(createInputSlot(output.slot.input));
      const { blocks, inputLength } = batch;
      const end = (blocks[0]?.coffset ?? 0) + inputLength;
      if (output.bytes.length > 0) yield { data: output.bytes, blocks, end };
      if (output.failure !== undefined) throw output.failure.error;
      if (isBorrowed) slots.push(output.slot);
    }
  }

  /** Runs a job on one of so many workers, or here until the first one has started. */
  async #run(job: InflateJob, limit: number): Promise<CodecJobResult> {
    if (!hasWorkers || job.isShort || !(await this.#pool.isReady())) return runInflateJob(job);
    return this.#pool.run(job, { transfer: [job.slot.input, job.slot.output], limit });
  }
}
