import type { ByteSource, ReadOptions } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { withInflater } from './block-inflater.js';
import { MAX_BLOCK_SIZE, parseBlockHeader, sliceBlock } from './block-layout.js';

/** One whole compressed block. */
export interface BgzfBlock {
  /** Bytes from the start of the file to the block. */
  readonly coffset: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads the block at `coffset` with one read of 64 KiB, or returns undefined at the end of the file. Throws TRUNCATED
 * if the file ends within the block and INVALID_HEADER if no block begins there.
 */
export async function readBlock(
  source: Pick<ByteSource, 'read'>,
  coffset: number,
  options?: ReadOptions,
): Promise<BgzfBlock | undefined> {
  const bytes = await source.read({ start: coffset, end: coffset + MAX_BLOCK_SIZE }, options);
  if (bytes.length === 0) return undefined;
  return { coffset, bytes: sliceBlock(bytes, { offset: 0, coffset }).block };
}

export interface FindBlockOptions extends ReadOptions {
  /** The end of the search: the start of a block, the end of the file, or any offset of at least `from` + 192 KiB. */
  readonly end: number;
}

/**
 * Returns the offset of the first block that begins in `[from, end)`, or undefined if there is none. Reads 192 KiB
 * once. A candidate counts if it can be inflated, its CRC32 and ISIZE are right, and blocks follow it for 64 KiB or up
 * to the end: no chain of blocks within the data of another block is that long.
 */
export async function findBlock(
  source: Pick<ByteSource, 'read'>,
  from: number,
  { end, ...options }: FindBlockOptions,
): Promise<number | undefined> {
  const bytes = await source.read({ start: from, end: Math.min(end, from + 3 * MAX_BLOCK_SIZE) }, options);
  for (let offset = bytes.indexOf(0x1f); offset !== -1; offset = bytes.indexOf(0x1f, offset + 1)) {
    // No block is longer.
    if (offset >= MAX_BLOCK_SIZE) return undefined;
    if (isBlock(bytes, offset) && isFollowedByBlocks(bytes, offset)) return from + offset;
  }
  return undefined;
}

function isBlock(bytes: Uint8Array, offset: number): boolean {
  if (bytes[offset + 1] !== 0x8b) return false;
  try {
    const { block } = sliceBlock(bytes, { offset, coffset: offset });
    withInflater(undefined, (inflater) => inflater.inflate(block));
    return true;
  } catch (error) {
    if (error instanceof BgzfError) return false;
    throw error;
  }
}

/** Returns whether consecutive block headers reach 64 KiB, the largest block, or exactly the end of the bytes. */
function isFollowedByBlocks(bytes: Uint8Array, start: number): boolean {
  let offset = start;
  try {
    while (offset < start + MAX_BLOCK_SIZE && offset < bytes.length) {
      offset += parseBlockHeader(bytes, { offset }).blockSize;
    }
  } catch (error) {
    if (error instanceof BgzfError) return false;
    throw error;
  }
  return offset >= start + MAX_BLOCK_SIZE || offset === bytes.length;
}
