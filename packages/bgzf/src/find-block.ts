import { BgzfError } from './bgzf-error.js';
import type { BgzfSource, SourceOptions } from './bgzf-source.js';
import { MAX_BLOCK_SIZE } from './block-header.js';
import { withInflater } from './inflater-loan.js';
import { sliceBlock } from './slice-block.js';

export interface FindBlockOptions extends SourceOptions {
  /** Where to stop: the offset of a block, or the end of the file. */
  readonly end: number;
}

/**
 * The offset of the first block that begins at `from` or behind it, in front of `end`; undefined if none does. Reads
 * 128 KiB once. What looks like a block counts if it can be inflated and its CRC32 and ISIZE are right.
 */
export async function findBlock(
  source: BgzfSource,
  from: number,
  { end, ...options }: FindBlockOptions,
): Promise<number | undefined> {
  const bytes = await source.read({ start: from, end: Math.min(end, from + 2 * MAX_BLOCK_SIZE) }, options);
  for (let at = bytes.indexOf(0x1f); at !== -1; at = bytes.indexOf(0x1f, at + 1)) {
    if (isBlock(bytes, at)) return from + at;
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
