import { MAX_BLOCK_SIZE } from '../block-header.js';
import { MAX_INPUT } from '../deflate-blocks.js';

/** Blocks of a job: a millisecond of work, a hundred times what it costs to hand it over; the data stays in the cache. */
export const JOB_BLOCKS = 16;
/** Bytes that hold the blocks of a job, as well as their data. */
const SLOT_BYTES = JOB_BLOCKS * MAX_BLOCK_SIZE;
/** Bytes of data of a job that deflates. */
export const JOB_DATA_BYTES: number = JOB_BLOCKS * MAX_INPUT;

/**
 * Memory for what goes into a job and what comes out, each of `SLOT_BYTES`. It is handed over to a worker and back, and
 * used again. Shared memory is no faster, since V8 copies to it word by word: 100 MB took 147 to 170 ms where this took 142.
 */
export interface Slot {
  readonly input: ArrayBuffer;
  readonly output: ArrayBuffer;
}

export function createSlot(): Slot {
  return { input: new ArrayBuffer(SLOT_BYTES), output: new ArrayBuffer(SLOT_BYTES) };
}
