import { type BorrowedBytes, concatBytes } from '@htskit/io';
import { mapInOrder } from '@htskit/io/internal';
import { availableThreads, hasWorkers, WorkerPool } from '@htskit/io/workers';
import { spawnCodecWorker } from '#spawn-codec-worker';
import { checkLevel, DEFAULT_LEVEL } from '../block/deflate-blocks.js';
import { EOF_MARKER } from '../block/eof-marker.js';
import { inflateBlock } from '../block/inflate-blocks.js';
import type { GziBuilder } from '../gzi.js';
import { addBlocks, type DeflateStreamOptions } from '../stream/deflate-stream.js';
import {
  type BlockBatch,
  batchBlocks,
  batchData,
  type CodecJob,
  type CodecJobResult,
  type CodecRunner,
  createInputSlot,
  createSlot,
  type DataBatch,
  JOB_BLOCKS,
  JOB_DATA_BYTES,
  runCodecJob,
  type Slot,
} from './codec-job.js';

export interface BgzfPoolOptions {
  /**
   * Number of workers. Default: one for each processor. In a runtime without workers, jobs run on the caller's thread.
   */
  readonly threads?: number;
  /** Replaces the workers, such as `createZlibRunner()` of `@htskit/bgzf/engines/zlib`. */
  readonly runner?: CodecRunner;
}

export interface PoolInflateOptions {
  /** Bytes from the start of the file to the first block. Default 0. */
  readonly coffset?: number;
  /** Receives each verified block. After the end of the stream its `finish` returns the GZI index. */
  readonly gzi?: GziBuilder;
  /** Throws TRUNCATED at the end of a stream that lacks the EOF marker: its end may be missing. Default false. */
  readonly requireEof?: boolean;
}

export interface OwnedInflateOptions extends Pick<PoolInflateOptions, 'coffset'> {
  /** The number of workers of the pool that inflate this stream. Default: all. */
  readonly workers?: number;
}

export type PoolDeflateOptions = Omit<DeflateStreamOptions, 'engine'>;

/** Jobs in progress or waiting for each worker, so that it never waits for the next one. */
const JOBS_PER_THREAD = 2;
/** Further jobs, for a caller that is slow to consume the results. */
const JOBS_AHEAD = 2;

/** The result of a job. */
interface Output {
  readonly bytes: Uint8Array;
  /** The memory of the job. */
  readonly slot: Slot;
  /** The error of the block after `bytes`. */
  readonly failure?: { readonly error: unknown };
}

/**
 * Inflates and deflates streams on all processors. One pool serves any number of streams at a time, each of which holds
 * up to 4 MiB for each job in progress. Workers start with the first job, and idle workers do not keep a process alive.
 *
 * @example
 * const pool = new BgzfPool();
 * for await (const data of pool.inflate(createReadStream('sample.bam'))) hash.update(peek(data));
 * await pool.close();
 */
export class BgzfPool {
  readonly #runner: CodecRunner;
  readonly #threads: number;
  readonly #idleSlots: Slot[] = [];

  /** Throws RangeError unless `threads` is a positive integer. */
  constructor({ threads = availableThreads(), runner = createWorkerRunner(threads) }: BgzfPoolOptions = {}) {
    this.#runner = runner;
    this.#threads = runner.threads;
  }

  /**
   * Yields the uncompressed data of a stream of blocks, in order and verified, in pieces of up to 2 MiB. How the bytes
   * are chunked makes no difference. A piece is valid until the iteration continues or ends. Throws the same errors as
   * `inflateStream`, and WorkerError.
   */
  async *inflate(
    chunks: AsyncIterable<Uint8Array>,
    { coffset = 0, gzi, requireEof = false }: PoolInflateOptions = {},
  ): AsyncGenerator<BorrowedBytes, void> {
    const batches = batchBlocks(chunks, { coffset, requireEof, acquireSlot: () => this.#acquireSlot() });
    for await (const { batch, output } of this.#inflateBatches(batches)) {
      if (output.failure === undefined) for (const block of batch.blocks) gzi?.add(block.coffset, block.isize);
      if (output.bytes.length > 0) yield output.bytes;
      if (output.failure !== undefined) throw output.failure.error;
      this.#releaseSlot(output.slot);
    }
  }

  /**
   * Yields the data of a stream like `inflate`, in memory of its own: what a worker has inflated is passed on without a copy. A
   * stream that is slower than one worker is inflated as its chunks arrive.
   */
  async *inflateOwned(
    chunks: AsyncIterable<Uint8Array>,
    { coffset = 0, workers }: OwnedInflateOptions = {},
  ): AsyncGenerator<Uint8Array, void> {
    const inputs: ArrayBuffer[] = [];
    /** Inputs that are filled, or whose data has not been taken. */
    let used = 0;
    const acquireSlot = (): Slot => {
      used++;
      return createInputSlot(inputs.pop());
    };
    const batches = batchBlocks(chunks, { coffset, requireEof: false, acquireSlot, isIdle: () => used === 1 });
    for await (const { output } of this.#inflateBatches(batches, workers)) {
      used--;
      inputs.push(output.slot.input);
      if (output.bytes.length > 0) yield output.bytes;
      if (output.failure !== undefined) throw output.failure.error;
    }
  }

  /**
   * Compresses the data of `chunks` to the same bytes as `deflateStream`. Each piece owns its memory. Throws RangeError
   * for an invalid level, and WorkerError.
   */
  async *deflate(
    chunks: AsyncIterable<BorrowedBytes>,
    { level = DEFAULT_LEVEL, eof = true, gzi }: PoolDeflateOptions = {},
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    checkLevel(level);
    const batches = batchData(chunks, () => this.#acquireSlot());
    let jobs = 0;
    const run = async ({ slot, inputLength }: DataBatch) => {
      const isShort = jobs++ === 0 && inputLength < JOB_DATA_BYTES;
      return toOutput(await this.#runner.run({ kind: 'deflate', slot, inputLength, isShort, level }));
    };
    let coffset = 0;
    for await (const output of mapInOrder(batches, { run, ahead: this.#ahead() })) {
      const blocks = output.bytes.slice();
      this.#releaseSlot(output.slot);
      if (gzi !== undefined) addBlocks(gzi, blocks, coffset);
      coffset += blocks.length;
      yield blocks;
    }
    if (eof) yield EOF_MARKER.slice();
  }

  /** Stops the workers and frees memory. Jobs in progress fail, and later jobs start new workers. */
  async close(): Promise<void> {
    this.#idleSlots.length = 0;
    await this.#runner.close();
  }

  /** Inflates batches ahead of the caller, in order. The first blocks of a stream are not worth a worker. */
  #inflateBatches(
    batches: AsyncGenerator<BlockBatch, void>,
    workers?: number,
  ): AsyncGenerator<{ readonly batch: BlockBatch; readonly output: Output }, void> {
    let blocks = 0;
    const run = async (batch: BlockBatch) => {
      blocks += batch.blocks.length;
      return { batch, output: await this.#inflate(batch, { isShort: blocks < JOB_BLOCKS, workers }) };
    };
    return mapInOrder(batches, { run, ahead: this.#ahead(workers) });
  }

  async #inflate(
    { slot, inputLength, blocks }: BlockBatch,
    setting: Pick<CodecJob, 'isShort' | 'workers'>,
  ): Promise<Output> {
    const coffset = blocks[0]?.coffset ?? 0;
    const outputLength = blocks.reduce((sum, { isize }) => sum + isize, 0);
    const result = await this.#runner.run({ kind: 'inflate', slot, inputLength, coffset, outputLength, ...setting });
    if (result.outputLength !== undefined) return toOutput(result);
    // Inflating the invalid blocks again on this thread throws the BgzfError.
    return { slot: result.slot, ...inflateValid(new Uint8Array(result.slot.input, 0, inputLength), blocks) };
  }

  /** Returns the number of jobs of a stream in progress. */
  #ahead(workers = this.#threads): number {
    return Math.min(workers, this.#threads) * JOBS_PER_THREAD + JOBS_AHEAD;
  }

  #acquireSlot(): Slot {
    return this.#idleSlots.pop() ?? createSlot();
  }

  /** Keeps a slot for later jobs, up to the number that one stream uses. */
  #releaseSlot(slot: Slot): void {
    if (this.#idleSlots.length < this.#ahead()) this.#idleSlots.push(slot);
  }
}

/**
 * Runs jobs on workers, or on the caller's thread if the runtime has none, or until the first one has started. Throws RangeError
 * unless positive and integer.
 */
function createWorkerRunner(threads: number): CodecRunner {
  const pool = new WorkerPool<CodecJob, CodecJobResult>({ spawn: spawnCodecWorker, size: threads });
  return {
    threads,
    async run(job) {
      if (!hasWorkers || job.isShort || !(await pool.isReady())) return runCodecJob(job);
      return pool.run(job, { transfer: [job.slot.input, job.slot.output], limit: job.workers });
    },
    close: () => pool.close(),
  };
}

/** Inflates blocks up to the first one that is invalid. */
function inflateValid(input: Uint8Array, blocks: BlockBatch['blocks']): Pick<Output, 'bytes' | 'failure'> {
  const parts: Uint8Array[] = [];
  const [first] = blocks;
  try {
    for (const { coffset } of blocks) {
      parts.push(inflateBlock(input.subarray(coffset - (first?.coffset ?? coffset)), { coffset }));
    }
    return { bytes: concatBytes(parts) };
  } catch (error) {
    return { bytes: concatBytes(parts), failure: { error } };
  }
}

function toOutput({ slot, outputLength }: CodecJobResult): Output {
  return { bytes: new Uint8Array(slot.output, 0, outputLength), slot };
}
