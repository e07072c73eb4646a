import { parseBlockFooter } from '../block-footer.js';
import { parseBlockHeader } from '../block-header.js';
import type { BgzfBlock } from '../read-block.js';
import { JOB_BLOCKS, JOB_DATA_BYTES, type Slot } from './slot.js';

/** Consecutive blocks in the input of a slot. */
export interface BlockBatch {
  readonly slot: Slot;
  readonly inputLength: number;
  /** Where each block begins in the file, and the bytes of data that it claims to hold; never empty. */
  readonly blocks: readonly { readonly coffset: number; readonly isize: number }[];
}

/** Data in the input of a slot. */
export interface DataBatch {
  readonly slot: Slot;
  readonly inputLength: number;
}

/** The blocks in batches that fill a job. Where `blocks` fails, what it gave before comes first. */
export async function* batchBlocks(
  blocks: AsyncIterable<BgzfBlock>,
  takeSlot: () => Slot,
): AsyncGenerator<BlockBatch, void> {
  let batch = emptyBatch(takeSlot);
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const { coffset, bytes } of blocks) {
      const { isize } = parseBlockFooter(bytes, parseBlockHeader(bytes, { coffset }), coffset);
      batch.input.set(bytes, batch.inputLength);
      batch.inputLength += bytes.length;
      batch.blocks.push({ coffset, isize });
      if (batch.blocks.length < JOB_BLOCKS) continue;
      yield batch;
      batch = emptyBatch(takeSlot);
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.blocks.length > 0) yield batch;
  if (failure !== undefined) throw failure.error;
}

function emptyBatch(takeSlot: () => Slot): {
  slot: Slot;
  input: Uint8Array;
  inputLength: number;
  blocks: { coffset: number; isize: number }[];
} {
  const slot = takeSlot();
  return { slot, input: new Uint8Array(slot.input), inputLength: 0, blocks: [] };
}

/** The data in batches that fill a job. */
export async function* batchData(
  chunks: AsyncIterable<Uint8Array>,
  takeSlot: () => Slot,
): AsyncGenerator<DataBatch, void> {
  let slot = takeSlot();
  let inputLength = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + JOB_DATA_BYTES - inputLength);
      new Uint8Array(slot.input).set(part, inputLength);
      inputLength += part.length;
      at += part.length;
      if (inputLength < JOB_DATA_BYTES) continue;
      yield { slot, inputLength };
      slot = takeSlot();
      inputLength = 0;
    }
  }
  if (inputLength > 0) yield { slot, inputLength };
}
