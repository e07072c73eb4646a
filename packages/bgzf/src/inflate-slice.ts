import { BgzfError } from './bgzf-error.js';
import type { BlockInflater } from './block-inflater.js';
import type { BgzfBlock } from './read-block.js';

/** Uncompressed bytes [start, end) of a block; without `end`, all from `start`. */
export interface BlockSlice {
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * A slice of the uncompressed data of a block, a view that is valid as long as those of `inflater`.
 * Throws INVALID_OFFSET if it reaches beyond it, and as `BlockInflater.inflate`.
 */
export function inflateSlice(
  inflater: BlockInflater,
  { coffset, bytes }: BgzfBlock,
  { start, end }: BlockSlice,
): { data: Uint8Array; isWhole: boolean } {
  const data = inflater.inflate(bytes, { coffset });
  const last = Math.max(start, end ?? 0);
  if (last > data.length) {
    const message = `uoffset ${last} lies beyond the ${data.length} bytes of the block`;
    throw new BgzfError('INVALID_OFFSET', message, { offset: coffset });
  }
  const slice = data.subarray(start, end);
  return { data: slice, isWhole: slice.length === data.length };
}
