import { availableThreads } from '@htskit/workers';
import { addBlocks, type DeflateStreamOptions } from '../block-deflater.js';
import { checkLevel, DEFAULT_LEVEL } from '../deflate-blocks.js';
import { EOF_MARKER } from '../eof-marker.js';
import type { GziBuilder } from '../gzi.js';
import { inflateBlocks } from '../inflate-block.js';
import { streamBlocks } from '../stream-blocks.js';
import type { CodecJobResult } from './codec-job.js';
import { type CodecRunner, createWorkerRunner } from './codec-runner.js';
import { type BlockBatch, batchBlocks, batchData, type DataBatch } from './job-batches.js';
import { mapInOrder } from './map-in-order.js';
import { createSlot, JOB_BLOCKS, JOB_DATA_BYTES, type Slot } from './slot.js';

export interface BgzfPoolOptions {
  /** Workers to use. By default as many as there are processors. Where the runtime has none, the caller's thread. */
  readonly threads?: number | undefined;
  /** Who does the work instead of workers, such as `createZlibRunner()` of `@htskit/bgzf/engines/zlib`. */
  readonly runner?: CodecRunner | undefined;
}

export interface PoolInflateOptions {
  /** Bytes from the start of the file to the first block. Default 0. */
  readonly coffset?: number | undefined;
  /** Gives each piece memory of its own. Default false. */
  readonly copy?: boolean | undefined;
  /** Is told of each block, once it is verified; its `finish` gives the GZI index once the stream has ended. */
  readonly gzi?: GziBuilder | undefined;
}

export type PoolDeflateOptions = Omit<DeflateStreamOptions, 'engine'>;

/** Jobs under way or waiting, for each worker: it has the next one at hand. */
const JOBS_PER_THREAD = 2;
/** Further ones, for when the caller is slow to take results. */
const JOBS_AHEAD = 2;

/** What came out of a job. */
interface Output {
  readonly bytes: Uint8Array;
  /** What to use again when the bytes are done with. */
  readonly slot: Slot;
}

/**
 * Inflates and deflates streams on all processors. One pool serves any number of streams at a time; each holds some 2 MiB
 * for each job under way. Workers start with the first job, and do not keep a process alive when they are idle.
 */
export class BgzfPool {
  readonly #runner: CodecRunner;
  readonly #ahead: number;
  readonly #idleSlots: Slot[] = [];

  /** Throws RangeError for a number of threads that is no positive whole number. */
  constructor({ threads = availableThreads(), runner = createWorkerRunner(threads) }: BgzfPoolOptions = {}) {
    this.#runner = runner;
    this.#ahead = runner.threads * JOBS_PER_THREAD + JOBS_AHEAD;
  }

  /**
   * The uncompressed data of a stream of blocks, in order, in pieces of up to 1 MiB; CRC32 and ISIZE are verified. Any
   * chunking of the bytes gives the same pieces. A piece is valid until the iteration goes on or ends, unless `copy` is asked
   * for. Throws as `inflateStream`, and WorkerError.
   */
  async *inflate(
    chunks: AsyncIterable<Uint8Array>,
    { coffset = 0, copy = false, gzi }: PoolInflateOptions = {},
  ): AsyncGenerator<Uint8Array, void> {
    const batches = batchBlocks(streamBlocks(chunks, { coffset }), () => this.#takeSlot());
    let jobs = 0;
    const run = async (batch: BlockBatch) => {
      const isOnly = jobs++ === 0 && batch.blocks.length < JOB_BLOCKS;
      return { batch, output: await this.#inflate(batch, isOnly) };
    };
    for await (const { batch, output } of mapInOrder(batches, { run, ahead: this.#ahead })) {
      for (const block of batch.blocks) gzi?.add(block.coffset, block.isize);
      if (output.bytes.length > 0) yield copy ? output.bytes.slice() : output.bytes;
      this.#giveSlot(output.slot);
    }
  }

  /**
   * The data of `chunks` as BGZF, the same bytes as from `deflateStream`. Pieces own their memory.
   * Throws RangeError for a level that is none, and WorkerError.
   */
  async *deflate(
    chunks: AsyncIterable<Uint8Array>,
    { level = DEFAULT_LEVEL, eof = true, gzi }: PoolDeflateOptions = {},
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    checkLevel(level);
    const batches = batchData(chunks, () => this.#takeSlot());
    let jobs = 0;
    const run = async ({ slot, inputLength }: DataBatch) => {
      const isOnly = jobs++ === 0 && inputLength < JOB_DATA_BYTES;
      return toOutput(await this.#runner.run({ kind: 'deflate', slot, inputLength, isOnly, level }));
    };
    let coffset = 0;
    for await (const output of mapInOrder(batches, { run, ahead: this.#ahead })) {
      const blocks = output.bytes.slice();
      this.#giveSlot(output.slot);
      if (gzi !== undefined) addBlocks(gzi, blocks, coffset);
      coffset += blocks.length;
      yield blocks;
    }
    if (eof) yield EOF_MARKER.slice();
  }

  /** Stops the workers and frees memory. Jobs under way fail; whoever goes on using the pool starts new workers. */
  async close(): Promise<void> {
    this.#idleSlots.length = 0;
    await this.#runner.close();
  }

  async #inflate({ slot, inputLength, blocks }: BlockBatch, isOnly: boolean): Promise<Output> {
    const coffset = blocks[0]?.coffset ?? 0;
    const result = await this.#runner.run({ kind: 'inflate', slot, inputLength, isOnly, coffset });
    if (result.outputLength !== undefined) return toOutput(result);
    // Once more here, which throws the error with all that it tells: errors lose their class between threads.
    return { bytes: inflateBlocks(new Uint8Array(result.slot.input, 0, inputLength), { coffset }), slot: result.slot };
  }

  /** Keeps it for the next job, unless there are enough for a stream. */
  #giveSlot(slot: Slot): void {
    if (this.#idleSlots.length < this.#ahead) this.#idleSlots.push(slot);
  }

  #takeSlot(): Slot {
    return this.#idleSlots.pop() ?? createSlot();
  }
}

function toOutput({ slot, outputLength }: CodecJobResult): Output {
  return { bytes: new Uint8Array(slot.output, 0, outputLength), slot };
}
