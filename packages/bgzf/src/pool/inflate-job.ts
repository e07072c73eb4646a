import { BgzfError } from '../bgzf-error.js';
import { MAX_BLOCK_SIZE, parseBlockFooter, parseBlockHeader } from '../block/block-layout.js';
import { isEofMarker, missingEofMarker } from '../block/eof-marker.js';
import { inflateBlocksInto } from '../block/inflate-blocks.js';
import type { BgzfBlock } from '../block/read-block.js';
import type { InflateEngine } from '../engines/codec-engine.js';
import { BlockSplitter } from '../stream/stream-blocks.js';

/** Blocks of a job that inflates: three milliseconds of work. With half as many, inflating takes 6 % more CPU time. */
export const JOB_BLOCKS = 32;
/** Bytes that hold the blocks of a job as well as their data. */
const SLOT_BYTES = JOB_BLOCKS * MAX_BLOCK_SIZE;

/**
 * Memory for the input and the output of a job. It is transferred to a worker and back, and then reused. Shared memory
 * is not faster, since V8 copies to it word by word: 100 MB took 147 to 170 ms, against 142 ms with transfers.
 */
export interface Slot {
  readonly input: ArrayBuffer;
  readonly output: ArrayBuffer;
}

export function createSlot(): Slot {
  return { input: new ArrayBuffer(SLOT_BYTES), output: new ArrayBuffer(SLOT_BYTES) };
}

/** Returns memory for the input of a job alone, whose output is allocated where it is done, as long as it is. */
export function createInputSlot(input: ArrayBuffer = new ArrayBuffer(SLOT_BYTES)): Slot {
  return { input, output: new ArrayBuffer(0) };
}

/** What all jobs have in common. */
export interface SlotJob {
  readonly slot: Slot;
  readonly inputLength: number;
  /** Whether the stream has been as short so far as one job, which is not worth starting a worker. */
  readonly isShort: boolean;
}

/** Whole blocks to inflate, the first of which is at `coffset` in the file. */
export interface InflateJob extends SlotJob {
  readonly kind: 'inflate';
  readonly coffset: number;
  /** Bytes of data according to the footers of the blocks. */
  readonly outputLength: number;
}

export interface CodecJobResult {
  /** The memory of the job. */
  readonly slot: Slot;
  /** Bytes of output, or undefined if a block is invalid: BgzfErrors lose their class between threads. */
  readonly outputLength: number | undefined;
}

/** Inflates on the current thread, to new memory if the slot has none. */
export function runInflateJob(job: InflateJob, engine?: InflateEngine): CodecJobResult {
  const { slot, outputLength, coffset } = job;
  const output = slot.output.byteLength < outputLength ? new ArrayBuffer(outputLength) : slot.output;
  const input = new Uint8Array(slot.input, 0, job.inputLength);
  try {
    const byteLength = inflateBlocksInto(new Uint8Array(output), input, { coffset, engine });
    return { slot: { input: slot.input, output }, outputLength: byteLength };
  } catch (error) {
    if (error instanceof BgzfError) return { slot, outputLength: undefined };
    throw error;
  }
}

/** Consecutive blocks in the input of a slot. */
export interface BlockBatch {
  readonly slot: Slot;
  readonly inputLength: number;
  /** The offset of each block in the file and the size of its data according to its footer. Never empty. */
  readonly blocks: readonly { readonly coffset: number; readonly isize: number }[];
}

export interface BatchOptions {
  /** Bytes from the start of the file to the first block. */
  readonly coffset: number;
  /** Whether to throw TRUNCATED if the last block is not the EOF marker. */
  readonly requireEof: boolean;
  readonly acquireSlot: () => Slot;
  /** Returns whether a job is needed at once, although it has few blocks. Default: never. */
  readonly isIdle?: () => boolean;
}

/** Groups the blocks of a stream into jobs. Throws the same errors as `streamBlocks`, after the blocks before the failure. */
export async function* batchBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { coffset, requireEof, acquireSlot, isIdle = () => false }: BatchOptions,
): AsyncGenerator<BlockBatch, void> {
  const splitter = new BlockSplitter(coffset);
  let batch = createBatch(acquireSlot);
  let hasEnded = false;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      for (const block of splitter.push(chunk)) {
        addBlock(batch, block);
        hasEnded = isEofMarker(block.bytes);
        if (batch.blocks.length < JOB_BLOCKS) continue;
        yield batch;
        batch = createBatch(acquireSlot);
      }
      if (batch.blocks.length === 0 || !isIdle()) continue;
      yield batch;
      batch = createBatch(acquireSlot);
    }
    splitter.walker.finish();
    if (requireEof && !hasEnded) throw missingEofMarker(splitter.walker.coffset);
  } catch (error) {
    failure = { error };
  }
  if (batch.blocks.length > 0) yield batch;
  if (failure !== undefined) throw failure.error;
}

interface OpenBatch extends BlockBatch {
  readonly input: Uint8Array;
  inputLength: number;
  readonly blocks: { readonly coffset: number; readonly isize: number }[];
}

function createBatch(acquireSlot: () => Slot): OpenBatch {
  const slot = acquireSlot();
  return { slot, input: new Uint8Array(slot.input), inputLength: 0, blocks: [] };
}

function addBlock(batch: OpenBatch, { coffset, bytes }: BgzfBlock): void {
  const { isize } = parseBlockFooter(bytes, parseBlockHeader(bytes, { coffset }), coffset);
  batch.input.set(bytes, batch.inputLength);
  batch.inputLength += bytes.length;
  batch.blocks.push({ coffset, isize });
}
