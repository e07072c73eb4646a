import { BgzfError } from './bgzf-error.js';
import type { BgzfSource, SourceOptions } from './bgzf-source.js';
import { MAX_BLOCK_SIZE, parseBlockHeader } from './block-header.js';
import { withInflater } from './pooled-inflater.js';
import { sliceBlock } from './slice-block.js';

export interface FindBlockOptions extends SourceOptions {
  /** Where to stop: the offset of a block, the end of the file, or what lies 192 KiB or more behind `from`. */
  readonly end: number;
}

/**
 * The offset of the first block that begins at `from` or behind it, in front of `end`; undefined if none does. Reads
 * 192 KiB once. What looks like a block counts if it can be inflated, its CRC32 and ISIZE are right, and blocks follow for
 * 64 KiB or up to the end: those that lie within the data of another one do not last longer than it.
 */
export async function findBlock(
  source: BgzfSource,
  from: number,
  { end, ...options }: FindBlockOptions,
): Promise<number | undefined> {
  const bytes = await source.read({ start: from, end: Math.min(end, from + 3 * MAX_BLOCK_SIZE) }, options);
  for (let at = bytes.indexOf(0x1f); at !== -1; at = bytes.indexOf(0x1f, at + 1)) {
    // No block is longer.
    if (at >= MAX_BLOCK_SIZE) return undefined;
    if (isBlock(bytes, at) && isFollowedByBlocks(bytes, at)) return from + at;
  }
  return undefined;
}

function isBlock(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== 0x8b) return false;
  try {
    const { block } = sliceBlock(bytes, { at, coffset: at });
    withInflater(undefined, (inflater) => inflater.inflate(block));
    return true;
  } catch (error) {
    if (error instanceof BgzfError) return false;
    throw error;
  }
}

/** Whether one block follows the other for as long as a block may be, or exactly up to the end of the bytes. */
function isFollowedByBlocks(bytes: Uint8Array, start: number): boolean {
  let at = start;
  try {
    while (at < start + MAX_BLOCK_SIZE && at < bytes.length)
      at += parseBlockHeader(bytes, { at, coffset: at }).blockSize;
  } catch (error) {
    if (error instanceof BgzfError) return false;
    throw error;
  }
  return at >= start + MAX_BLOCK_SIZE || at === bytes.length;
}
