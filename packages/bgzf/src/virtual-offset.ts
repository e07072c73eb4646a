import type { ByteRange } from '@htskit/io';
import { BgzfError } from './bgzf-error.js';
import { MAX_BLOCK_SIZE } from './block/block-layout.js';

/** A position in the uncompressed data of a BGZF file (SAMv1 §4.1.1). */
export interface VirtualOffset {
  /** Bytes from the start of the file to the start of a block; below 2^48 in an index. */
  readonly coffset: number;
  /** Bytes from the start of that block's uncompressed data; below 2^16 in an index. */
  readonly uoffset: number;
}

/** A half-open range of uncompressed data. `end = { coffset, uoffset: 0 }` means up to the block at `coffset`. */
export interface VirtualRange {
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
}

/**
 * Converts the two u32 halves of a little-endian u64 to the virtual offset `coffset << 16 | uoffset` (SAMv1 §4.1.1).
 */
export function virtualOffsetFromU64(low: number, high: number): VirtualOffset {
  return { coffset: high * 0x10000 + (low >>> 16), uoffset: low & 0xffff };
}

/** Returns a negative number, zero or a positive number if `a` lies before, at or after `b`. */
export function compareVirtualOffsets(a: VirtualOffset, b: VirtualOffset): number {
  return a.coffset - b.coffset || a.uoffset - b.uoffset;
}

/** Throws INVALID_OFFSET unless both ends consist of non-negative safe integers and `start` is not after `end`. */
export function checkVirtualRange({ start, end }: VirtualRange): void {
  for (const { coffset, uoffset } of [start, end]) {
    if (!isByteCount(coffset) || !isByteCount(uoffset)) {
      const found = `${coffset}:${uoffset}`;
      throw new BgzfError('INVALID_OFFSET', `expected a virtual offset, found ${found}`, { offset: coffset });
    }
  }
  if (compareVirtualOffsets(start, end) > 0) {
    const found = `${start.coffset}:${start.uoffset} to ${end.coffset}:${end.uoffset}`;
    throw new BgzfError('INVALID_OFFSET', `the range ends before it starts: ${found}`, { offset: start.coffset });
  }
}

function isByteCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Returns the bytes of the file that the blocks of a range take at most. Throws INVALID_OFFSET for an invalid range. */
export function blockRange(range: VirtualRange): ByteRange {
  checkVirtualRange(range);
  const { start, end } = range;
  // The size of the last block is unknown: requesting the largest possible one saves a second request.
  return { start: start.coffset, end: end.uoffset > 0 ? end.coffset + MAX_BLOCK_SIZE : end.coffset };
}
