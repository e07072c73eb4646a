import { type BorrowedBytes, peek, toOwned } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import type { EngineOptions } from '../engines/codec-engine.js';
import { type BlockInflater, type BlockOptions, withInflater } from './block-inflater.js';
import { parseBlockFooter, sliceBlock } from './block-layout.js';
import type { BgzfBlock } from './read-block.js';

/** Default limit of the data that one call returns: 1 GiB. */
const DEFAULT_MAX_BYTES = 2 ** 30;

/**
 * Returns a copy of the uncompressed data of the block at the start of `block`. Bytes after the block are ignored.
 * CRC32 and ISIZE are always verified. Throws the same errors as `BlockInflater.inflate`, which is faster for many
 * blocks.
 *
 * @example
 * const data = inflateBlock(bytes, { coffset: 0 });
 */
export function inflateBlock(block: Uint8Array, options: BlockOptions & EngineOptions = {}): Uint8Array<ArrayBuffer> {
  return withInflater(options.engine, (inflater) => toOwned(inflater.inflate(block, options)));
}

/**
 * Returns a copy of the first `length` bytes of the uncompressed data of a block, or of all of it, without inflating
 * the rest: for a small slice of a block that is not worth keeping. CRC32 is verified only if that is all of the data.
 * Throws the same errors as `BlockInflater.inflatePrefix`.
 */
export function inflateBlockPrefix(
  block: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly length: number },
): Uint8Array<ArrayBuffer> {
  return withInflater(options.engine, (inflater) => toOwned(inflater.inflatePrefix(block, options)));
}

/**
 * Returns the concatenated uncompressed data of consecutive whole blocks. `coffset` is the offset of the first block in
 * the file. Throws the same errors as `inflateBlock`, and LIMIT_EXCEEDED if the data is longer than `maxBytes`, by
 * default 1 GiB.
 */
export function inflateBlocks(
  bytes: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly maxBytes?: number } = {},
): Uint8Array<ArrayBuffer> {
  const { coffset = 0, maxBytes = DEFAULT_MAX_BYTES } = options;
  const data = new Uint8Array(measureBlocks(bytes, coffset, maxBytes));
  inflateBlocksInto(data, bytes, options);
  return data;
}

/**
 * Inflates like `inflateBlocks` to the start of `target`, which is at least as long as the blocks claim, and returns
 * the number of bytes written.
 */
export function inflateBlocksInto(
  target: Uint8Array,
  bytes: Uint8Array,
  { coffset = 0, engine }: BlockOptions & EngineOptions,
): number {
  return withInflater(engine, (inflater) => {
    let byteLength = 0;
    for (let offset = 0; offset < bytes.length; ) {
      const { header, block } = sliceBlock(bytes, { offset, coffset: coffset + offset });
      const data = inflater.inflate(block, { coffset: coffset + offset });
      target.set(peek(data), byteLength);
      byteLength += data.length;
      offset += header.blockSize;
    }
    return byteLength;
  });
}

/** Returns the sum of ISIZE, each of which is checked against the compressed size of its block. */
function measureBlocks(bytes: Uint8Array, coffset: number, maxBytes: number): number {
  let byteLength = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const blockCoffset = coffset + offset;
    const { header, block } = sliceBlock(bytes, { offset, coffset: blockCoffset });
    byteLength += parseBlockFooter(block, header, blockCoffset).isize;
    if (byteLength > maxBytes) {
      const message = `the uncompressed data is longer than ${maxBytes} bytes`;
      throw new BgzfError('LIMIT_EXCEEDED', message, { offset: blockCoffset });
    }
    offset += header.blockSize;
  }
  return byteLength;
}

/** Uncompressed bytes `[start, end)` of a block; without `end`, all from `start`. */
export interface BlockSlice {
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * Returns a slice of the uncompressed data of a block in the memory of `inflater`. Throws INVALID_OFFSET if
 * the slice exceeds the data, and as `BlockInflater.inflate`.
 */
export function inflateSlice(
  inflater: BlockInflater,
  { coffset, bytes }: BgzfBlock,
  { start, end }: BlockSlice,
): { data: BorrowedBytes; isWhole: boolean } {
  const data = inflater.inflate(bytes, { coffset });
  const last = Math.max(start, end ?? 0);
  if (last > data.length) {
    const message = `uoffset ${last} lies beyond the ${data.length} bytes of the block`;
    throw new BgzfError('INVALID_OFFSET', message, { offset: coffset });
  }
  const slice = peek(data).subarray(start, end);
  return { data: slice, isWhole: slice.length === data.length };
}
