import type { ByteRange } from '@htskit/protocol';
import { StorageError } from './storage-error.js';

/** Throws INVALID_RANGE unless the range is of two safe integers 0 ≤ start ≤ end. */
export function checkRange({ start, end }: ByteRange, key: string): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end) return;
  throw new StorageError('INVALID_RANGE', `expected integers 0 ≤ start ≤ end, found start ${start}, end ${end}`, {
    key,
  });
}

/** The part of the range that lies within `size` bytes. */
export function clipRange({ start, end }: ByteRange, size: number): ByteRange {
  return { start: Math.min(start, size), end: Math.min(end, size) };
}
