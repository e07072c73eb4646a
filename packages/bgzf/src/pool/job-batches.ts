import { parseBlockFooter, parseBlockHeader } from '../block/block-layout.js';
import type { BgzfBlock } from '../block/read-block.js';
import { JOB_BLOCKS, JOB_DATA_BYTES, type Slot } from './codec-job.js';

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

/** Groups blocks into jobs. If `blocks` throws, the blocks before the failure are yielded first. */
export async function* batchBlocks(
  blocks: AsyncIterable<BgzfBlock>,
  acquireSlot: () => Slot,
): AsyncGenerator<BlockBatch, void> {
  let batch = createBatch(acquireSlot);
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const { coffset, bytes } of blocks) {
      const { isize } = parseBlockFooter(bytes, parseBlockHeader(bytes, { coffset }), coffset);
      batch.input.set(bytes, batch.inputLength);
      batch.inputLength += bytes.length;
      batch.blocks.push({ coffset, isize });
      if (batch.blocks.length < JOB_BLOCKS) continue;
      yield batch;
      batch = createBatch(acquireSlot);
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.blocks.length > 0) yield batch;
  if (failure !== undefined) throw failure.error;
}

function createBatch(acquireSlot: () => Slot): {
  slot: Slot;
  input: Uint8Array;
  inputLength: number;
  blocks: { coffset: number; isize: number }[];
} {
  const slot = acquireSlot();
  return { slot, input: new Uint8Array(slot.input), inputLength: 0, blocks: [] };
}

/** Groups data into jobs. */
export async function* batchData(
  chunks: AsyncIterable<Uint8Array>,
  acquireSlot: () => Slot,
): AsyncGenerator<DataBatch, void> {
  let slot = acquireSlot();
  let inputLength = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      const part = chunk.subarray(offset, offset + JOB_DATA_BYTES - inputLength);
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
