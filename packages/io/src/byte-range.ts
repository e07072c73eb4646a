import { StorageError } from './storage-error.js';

/** A half-open range `[start, end)` of bytes. Inclusive ends exist only where an HTTP header is parsed or written. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Throws `StorageError` INVALID_RANGE unless both ends are safe integers and 0 ≤ start ≤ end. */
export function checkRange({ start, end }: ByteRange, key: string): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end) return;
  throw new StorageError('INVALID_RANGE', `expected integers 0 ≤ start ≤ end, found start ${start}, end ${end}`, {
    key,
  });
}

/** Returns the part of the range that lies within an object of `size` bytes. */
export function clipRange({ start, end }: ByteRange, size: number): ByteRange {
  return { start: Math.min(start, size), end: Math.min(end, size) };
}
