import type { BorrowedBytes } from '@htskit/io';
import { mapInOrder } from '@htskit/io/internal';
import { availableThreads, hasWorkers, WorkerPool } from '@htskit/io/workers';
import { spawnCodecWorker } from '#spawn-codec-worker';
import { checkLevel, DEFAULT_LEVEL } from '../block/deflate-blocks.js';
import { EOF_MARKER } from '../block/eof-marker.js';
import type { GziBuilder } from '../gzi.js';
import { addBlocks, type DeflateStreamOptions } from '../stream/deflate-stream.js';
import {
  batchData,
  type CodecJob,
  type CodecRunner,
  type DataBatch,
  JOB_DATA_BYTES,
  runCodecJob,
} from './codec-job.js';
import { countJobsAhead, inflateBatches, toOutput } from './inflate-batches.js';
import { batchBlocks, type CodecJobResult, createSlot, type Slot } from './inflate-job.js';

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

export type PoolDeflateOptions = Omit<DeflateStreamOptions, 'engine'>;

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
  readonly #idleSlots: Slot[] = [];

  /** Throws RangeError unless `threads` is a positive integer. */
  constructor({ threads = availableThreads(), runner = createWorkerRunner(threads) }: BgzfPoolOptions = {}) {
    this.#runner = runner;
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
    const run = (job: CodecJob): Promise<CodecJobResult> => this.#runner.run(job);
    for await (const { batch, output } of inflateBatches(batches, { run, threads: this.#runner.threads })) {
      if (output.failure === undefined) for (const block of batch.blocks) gzi?.add(block.coffset, block.isize);
      if (output.bytes.length > 0) yield output.bytes;
      if (output.failure !== undefined) throw output.failure.error;
      this.#releaseSlot(output.slot);
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
    for await (const output of mapInOrder(batches, { run, ahead: countJobsAhead(this.#runner.threads) })) {
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

  #acquireSlot(): Slot {
    return this.#idleSlots.pop() ?? createSlot();
  }

  /** Keeps a slot for later jobs, up to the number that one stream uses. */
  #releaseSlot(slot: Slot): void {
    if (this.#idleSlots.length < countJobsAhead(this.#runner.threads)) this.#idleSlots.push(slot);
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
      return pool.run(job, { transfer: [job.slot.input, job.slot.output] });
    },
    close: () => pool.close(),
  };
}
