import type { ByteRange } from '@htskit/io';

/** What a `Range` header asks of a representation of known length. */
export type RangeHeader =
  | { readonly kind: 'none' }
  /** Not a `bytes` range, several ranges, or no range at all. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unsatisfiable'; readonly reason: 'first-after-last' | 'beyond-end' }
  /** Not empty, and within the representation: the last byte is clipped. */
  | { readonly kind: 'range'; readonly range: ByteRange };

const NONE: RangeHeader = { kind: 'none' };
const MALFORMED: RangeHeader = { kind: 'malformed' };
const FIRST_AFTER_LAST: RangeHeader = { kind: 'unsatisfiable', reason: 'first-after-last' };
const BEYOND_END: RangeHeader = { kind: 'unsatisfiable', reason: 'beyond-end' };

/**
 * Parses a `Range` header (RFC 9110 §14.1.2) that asks for one range: `bytes=0-9`, `bytes=10-` or the suffix
 * `bytes=-5`. `length` is that of the representation in bytes.
 */
export function parseRangeHeader(value: string | null, length: number): RangeHeader {
  if (value === null) return NONE;
  const match = /^bytes=(\d*)-(\d*)$/i.exec(value);
  if (match === null) return MALFORMED;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? MALFORMED : parseSuffix(Number(last), length);
  // Rounding above 2^53 (Infinity for very many digits) is harmless: no representation is that long.
  const start = Number(first);
  const lastByte = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (start > lastByte) return FIRST_AFTER_LAST;
  if (start >= length) return BEYOND_END;
  return { kind: 'range', range: { start, end: Math.min(lastByte + 1, length) } };
}

function parseSuffix(suffixLength: number, length: number): RangeHeader {
  if (suffixLength === 0 || length === 0) return BEYOND_END;
  return { kind: 'range', range: { start: Math.max(0, length - suffixLength), end: length } };
}

/**
 * Writes a `Content-Range` header (RFC 9110 §14.4): that of a 206 for a range that is not empty, that of a refused range
 * where `range` is undefined. `length` is that of the whole representation in bytes.
 */
export function toContentRange(range: ByteRange | undefined, length: number): string {
  return range === undefined ? `bytes */${length}` : `bytes ${range.start}-${range.end - 1}/${length}`;
}
