import { BgzfError } from './bgzf-error.js';
import { parseBlockFooter } from './block-footer.js';
import { parseBlockHeader } from './block-header.js';
import type { BlockOptions } from './block-inflater.js';
import type { EngineOptions } from './codec-engine.js';
import { borrowInflater } from './inflater-loan.js';
import { sliceBlock } from './slice-block.js';

/** Default of the most bytes that `inflateBlocks` returns: 1 GiB. */
const DEFAULT_MAX_BYTES = 2 ** 30;

/**
 * The uncompressed data of the block at the start of `block`, in memory of its own. Bytes behind the block are ignored.
 * CRC32 and ISIZE are always verified. Throws as `BlockInflater.inflate`, which is faster for many blocks.
 */
export function inflateBlock(block: Uint8Array, options: BlockOptions & EngineOptions = {}): Uint8Array {
  const { inflater, giveBack } = borrowInflater(options.engine);
  try {
    return inflater.inflate(block, options).slice();
  } finally {
    giveBack();
  }
}

/**
 * The first `length` bytes of the uncompressed data of a block, or all of it, in memory of its own, without inflating the
 * rest: for a small slice of a block that is not worth keeping. Of a part CRC32 is not verified; the whole is.
 * Throws as `BlockInflater.inflatePrefix`.
 */
export function inflateBlockPrefix(
  block: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly length: number },
): Uint8Array {
  const { inflater, giveBack } = borrowInflater(options.engine);
  try {
    return inflater.inflatePrefix(block, options).slice();
  } finally {
    giveBack();
  }
}

/**
 * The uncompressed data of consecutive whole blocks, concatenated; no bytes give no bytes.
 * `coffset` is the offset of the first block in the file. Throws as `inflateBlock`, and LIMIT_EXCEEDED if the data is
 * longer than `maxBytes`, by default 1 GiB.
 */
export function inflateBlocks(
  bytes: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly maxBytes?: number } = {},
): Uint8Array {
  const { coffset = 0, maxBytes = DEFAULT_MAX_BYTES } = options;
  const data = new Uint8Array(measureBlocks(bytes, coffset, maxBytes));
  const { inflater, giveBack } = borrowInflater(options.engine);
  try {
    for (let at = 0, byteStart = 0; at < bytes.length; ) {
      const block = bytes.subarray(at);
      const part = inflater.inflate(block, { coffset: coffset + at });
      data.set(part, byteStart);
      byteStart += part.length;
      at += parseBlockHeader(block).blockSize;
    }
  } finally {
    giveBack();
  }
  return data;
}

/** What the blocks claim to hold together, each no more than its size allows. */
function measureBlocks(bytes: Uint8Array, coffset: number, maxBytes: number): number {
  let byteLength = 0;
  for (let at = 0; at < bytes.length; ) {
    const offset = coffset + at;
    const { header, block } = sliceBlock(bytes, { at, coffset: offset });
    byteLength += parseBlockFooter(block, header, offset).isize;
    if (byteLength > maxBytes) {
      throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset });
    }
    at += header.blockSize;
  }
  return byteLength;
}
