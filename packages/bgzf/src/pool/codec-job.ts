import { type BorrowedBytes, peek } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { MAX_BLOCK_SIZE, parseBlockFooter, parseBlockHeader } from '../block/block-layout.js';
import { BLOCK_DATA_BYTES, deflateBlocksInto } from '../block/deflate-blocks.js';
import { isEofMarker, missingEofMarker } from '../block/eof-marker.js';
import { inflateBlocksInto } from '../block/inflate-blocks.js';
import type { BgzfBlock } from '../block/read-block.js';
import type { CodecEngine } from '../engines/codec-engine.js';
import { BlockSplitter } from '../stream/stream-blocks.js';

/** Blocks of a job that inflates: three milliseconds of work. With half as many, inflating takes 6 % more CPU time. */
export const JOB_BLOCKS = 32;
/** Bytes that hold the blocks of a job as well as their data. */
const SLOT_BYTES = JOB_BLOCKS * MAX_BLOCK_SIZE;
/** Bytes of data of a job that deflates: ten milliseconds of work or more. */
export const JOB_DATA_BYTES: number = 16 * BLOCK_DATA_BYTES;

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

/** Whole blocks to inflate, the first of which is at `coffset` in the file, or data to deflate at `level`. */
export type CodecJob = {
  readonly slot: Slot;
  readonly inputLength: number;
  /** Whether the stream has been as short so far as one job, which is not worth starting a worker. */
  readonly isShort: boolean;
  /** The number of workers of the pool that may do it. Default: all. */
  readonly workers?: number | undefined;
} & (
  | { readonly kind: 'inflate'; readonly coffset: number; readonly outputLength: number }
  | { readonly kind: 'deflate'; readonly level: number }
);

export interface CodecJobResult {
  /** The memory of the job. */
  readonly slot: Slot;
  /** Bytes of output, or undefined if a block is invalid: BgzfErrors lose their class between threads. */
  readonly outputLength: number | undefined;
}

/** Does the jobs of a pool. */
export interface CodecRunner {
  /** The number of jobs that it does at the same time. */
  readonly threads: number;
  run(job: CodecJob): Promise<CodecJobResult>;
  close(): Promise<void>;
}

/** Does a job on the current thread. */
export function runCodecJob(job: CodecJob, engine?: CodecEngine): CodecJobResult {
  const slot =
    job.kind === 'inflate' && job.slot.output.byteLength < job.outputLength
      ? { ...job.slot, output: new ArrayBuffer(job.outputLength) }
      : job.slot;
  const { input, output } = toArrays({ ...job, slot });
  try {
    const outputLength =
      job.kind === 'inflate'
        ? inflateBlocksInto(output, input, { coffset: job.coffset, engine })
        : deflateBlocksInto(output, input, { level: job.level, engine });
    return { slot, outputLength };
  } catch (error) {
    if (error instanceof BgzfError) return { slot: job.slot, outputLength: undefined };
    throw error;
  }
}

/** Returns views of the input and of the memory for the output. */
export function toArrays({ slot, inputLength }: CodecJob): { input: Uint8Array; output: Uint8Array } {
  return { input: new Uint8Array(slot.input, 0, inputLength), output: new Uint8Array(slot.output) };
}

/** Consecutive blocks in the input of a slot. */
export interface BlockBatch {
  readonly slot: Slot;
  readonly inputLength: number;
  /** The offset of each block in the file and the size of its data according to its footer. Never empty. */
  readonly blocks: readonly { readonly coffset: number; readonly isize: number }[];
}

/** Data in the input of a slot. */
export interface DataBatch {
  readonly slot: Slot;
  readonly inputLength: number;
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

/** Groups data into jobs. */
export async function* batchData(
  chunks: AsyncIterable<BorrowedBytes>,
  acquireSlot: () => Slot,
): AsyncGenerator<DataBatch, void> {
  let slot = acquireSlot();
  let inputLength = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      const part = peek(chunk).subarray(offset, offset + JOB_DATA_BYTES - inputLength);
      new Uint8Array(slot.input).set(part, inputLength);
      inputLength += part.length;
      offset += part.length;
      if (inputLength < JOB_DATA_BYTES) continue;
      yield { slot, inputLength };
      slot = acquireSlot();
      inputLength = 0;
    }
  }
  if (inputLength > 0) yield { slot, inputLength };
}
