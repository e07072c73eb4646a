import { BgzfError } from '../bgzf-error.js';
import { MAX_BLOCK_SIZE, parseBlockHeader } from '../block-header.js';
import { deflateBlocksInto, MAX_INPUT } from '../deflate-blocks.js';
import { borrowInflater } from '../inflater-loan.js';

/** Blocks of a job: a millisecond of work, a hundred times what it costs to hand it over; the data stays in the cache. */
export const JOB_BLOCKS = 16;
/** Bytes that hold the blocks of a job, as well as their data. */
export const SLOT_BYTES: number = JOB_BLOCKS * MAX_BLOCK_SIZE;
/** Bytes of data of a job that deflates. */
export const JOB_DATA_BYTES: number = JOB_BLOCKS * MAX_INPUT;

/** Memory for what goes into a job and what comes out, each of `SLOT_BYTES`: shared, or handed over and back. */
export interface Slot {
  readonly input: ArrayBufferLike;
  readonly output: ArrayBufferLike;
}

/** Whole blocks to inflate, which begin at `coffset` in the file, or data to deflate at `level`. */
export type CodecJob = { readonly slot: Slot; readonly inputLength: number } & (
  | { readonly kind: 'inflate'; readonly coffset: number }
  | { readonly kind: 'deflate'; readonly level: number }
);

export interface CodecJobResult {
  /** The same memory. */
  readonly slot: Slot;
  /** Bytes of output, or undefined where the blocks are refused: who gave the job finds out why. */
  readonly outputLength: number | undefined;
}

/** Fresh memory: shared where the runtime has it, which browsers do for pages that are cross-origin isolated. */
export function createSlot(): Slot {
  const Memory = typeof SharedArrayBuffer === 'function' ? SharedArrayBuffer : ArrayBuffer;
  return { input: new Memory(SLOT_BYTES), output: new Memory(SLOT_BYTES) };
}

/** Does a job, in a worker or on the spot. */
export function runCodecJob(job: CodecJob): CodecJobResult {
  const input = new Uint8Array(job.slot.input, 0, job.inputLength);
  const output = new Uint8Array(job.slot.output);
  try {
    const outputLength =
      job.kind === 'inflate' ? inflateInto(output, input, job.coffset) : deflateBlocksInto(output, input, job);
    return { slot: job.slot, outputLength };
  } catch (thrown) {
    if (thrown instanceof BgzfError) return { slot: job.slot, outputLength: undefined };
    throw thrown;
  }
}

function inflateInto(output: Uint8Array, blocks: Uint8Array, coffset: number): number {
  const { inflater, giveBack } = borrowInflater();
  let byteLength = 0;
  try {
    for (let at = 0; at < blocks.length; ) {
      const block = blocks.subarray(at);
      const data = inflater.inflate(block, { coffset: coffset + at });
      output.set(data, byteLength);
      byteLength += data.length;
      at += parseBlockHeader(block).blockSize;
    }
  } finally {
    giveBack();
  }
  return byteLength;
}
