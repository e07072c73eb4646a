import type { ByteRange } from '@htskit/io';
import { Crypt4ghError } from '../crypt4gh-error.js';

/**
 * The lengths of an edit list: how many bytes of the plaintext to discard and to keep, in turns, beginning with discarded ones
 * (Crypt4GH §4.2). After an odd number of lengths, the rest is kept. Without any length, all is.
 */
export type EditList = readonly number[];

/**
 * Returns the ranges of the plaintext that an edit list keeps, in order and not empty. The end of the last one may be infinite.
 * Throws `Crypt4ghError` INVALID_HEADER if an end exceeds 2^53 - 1.
 */
export function toKeptRanges(editList: EditList): readonly ByteRange[] {
  if (editList.length === 0) return [{ start: 0, end: Number.POSITIVE_INFINITY }];
  const ranges: ByteRange[] = [];
  let at = 0;
  for (let index = 0; index < editList.length; index += 2) {
    const start = at + (editList[index] ?? 0);
    const end = start + (editList[index + 1] ?? Number.POSITIVE_INFINITY);
    if (!Number.isSafeInteger(start) || (!Number.isSafeInteger(end) && index + 1 < editList.length)) {
      throw new Crypt4ghError('INVALID_HEADER', 'the edit list refers to bytes after 2^53 - 1');
    }
    if (start < end) ranges.push({ start, end });
    at = end;
  }
  return ranges;
}

/**
 * Returns the edit list that keeps the given ranges, which must be in order and must not overlap.
 *
 * @example
 * toEditList([{ start: 0, end: 7853 }, { start: 79574, end: 387503 }]); // [0, 7853, 71721, 307929]
 */
export function toEditList(ranges: readonly ByteRange[]): EditList {
  let at = 0;
  return ranges.flatMap(({ start, end }) => {
    const lengths = [start - at, end - start];
    at = end;
    return lengths;
  });
}

/** Throws `Crypt4ghError` INVALID_ARGUMENT unless all lengths and their sum are integers from 0 to 2^53 - 1. */
export function checkEditList(editList: EditList): void {
  const invalid = editList.find((length) => !Number.isSafeInteger(length) || length < 0);
  if (invalid !== undefined) {
    throw new Crypt4ghError('INVALID_ARGUMENT', `a length of an edit list is an integer from 0 on, not ${invalid}`);
  }
  const sum = editList.reduce((total, length) => total + length, 0);
  if (sum > Number.MAX_SAFE_INTEGER) {
    throw new Crypt4ghError('INVALID_ARGUMENT', 'the edit list refers to bytes after 2^53 - 1');
  }
}

/**
 * Throws `Crypt4ghError` TRUNCATED if an edit list keeps bytes up to `keptEnd` of decrypted data that has only `size` bytes: the last
 * segments are missing. `offset` is the end of the file.
 */
export function checkKeptEnd(keptEnd: number, size: number, offset: number): void {
  if (keptEnd <= size) return;
  const message = `the edit list refers to byte ${keptEnd} of ${size}: the last segments are missing`;
  throw new Crypt4ghError('TRUNCATED', message, { offset });
}
