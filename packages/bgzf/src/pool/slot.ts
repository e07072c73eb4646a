import { MAX_BLOCK_SIZE } from '../block-header.js';
import { MAX_INPUT } from '../deflate-blocks.js';

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

/** Fresh memory: shared where the runtime has it, which browsers do for pages that are cross-origin isolated. */
export function createSlot(): Slot {
  const Memory = typeof SharedArrayBuffer === 'function' ? SharedArrayBuffer : ArrayBuffer;
  return { input: new Memory(SLOT_BYTES), output: new Memory(SLOT_BYTES) };
}

/** The memory of a slot that has to be handed over, since it is not shared. */
export function ownedBuffers({ input, output }: Slot): ArrayBuffer[] {
  return [input, output].filter((buffer) => buffer instanceof ArrayBuffer);
}
