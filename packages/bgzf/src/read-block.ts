import type { BgzfSource, SourceOptions } from './bgzf-source.js';
import { MAX_BLOCK_SIZE } from './block-header.js';
import { sliceBlock } from './slice-block.js';

/** One whole compressed block. */
export interface BgzfBlock {
  /** Bytes from the start of the file to the block. */
  readonly coffset: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads the block at `coffset` with one read of 64 KiB; undefined at the end of the file.
 * Throws TRUNCATED if the file ends within the block, INVALID_HEADER if no block begins there.
 */
export async function readBlock(
  source: BgzfSource,
  coffset: number,
  options?: SourceOptions,
): Promise<BgzfBlock | undefined> {
  const bytes = await source.read({ start: coffset, end: coffset + MAX_BLOCK_SIZE }, options);
  if (bytes.length === 0) return undefined;
  return { coffset, bytes: sliceBlock(bytes, { at: 0, coffset }).block };
}
