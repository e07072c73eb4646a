import type { ByteRange } from '@htskit/io';

/** A `Range` header applied to a representation of known length. */
export type RangeHeader =
  | { readonly kind: 'none' }
  /** A unit other than `bytes`, several ranges, or not a range at all. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unsatisfiable'; readonly reason: 'first-after-last' | 'beyond-end' }
  /** A range that is not empty and lies within the representation: its end is clipped. */
  | { readonly kind: 'range'; readonly range: ByteRange };

const NONE: RangeHeader = { kind: 'none' };
const MALFORMED: RangeHeader = { kind: 'malformed' };
const FIRST_AFTER_LAST: RangeHeader = { kind: 'unsatisfiable', reason: 'first-after-last' };
const BEYOND_END: RangeHeader = { kind: 'unsatisfiable', reason: 'beyond-end' };

/**
 * Parses a `Range` header (RFC 9110 §14.1.2) with one range: `bytes=0-9`, `bytes=10-` or the suffix `bytes=-5`. `length` is
 * the length of the representation in bytes.
 *
 * @example
 * parseRangeHeader('bytes=90-199', 100); // { kind: 'range', range: { start: 90, end: 100 } }
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

/** A parsed `Content-Range` header. At least one of its members is defined. */
export interface ContentRange {
  /** Undefined if the requested range lies outside of the representation (`bytes *`). */
  readonly range: ByteRange | undefined;
  /** Length of the whole representation in bytes, or undefined if the server does not know it. */
  readonly size: number | undefined;
}

/**
 * Parses a `Content-Range` header of bytes (RFC 9110 §14.4). Returns undefined if it is malformed or has another unit:
 * `bytes 0-9/100` is `{ range: { start: 0, end: 10 }, size: 100 }`.
 */
export function parseContentRange(value: string): ContentRange | undefined {
  const [, first, last, complete] = /^bytes +(?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i.exec(value.trim()) ?? [];
  if (complete === undefined) return undefined;
  const size = complete === '*' ? undefined : Number(complete);
  const range = first === undefined ? undefined : { start: Number(first), end: Number(last) + 1 };
  if (!Number.isSafeInteger(size ?? 0) || (range === undefined && size === undefined)) return undefined;
  if (range === undefined) return { range, size };
  const isValid = Number.isSafeInteger(range.end) && range.start < range.end && range.end <= (size ?? range.end);
  return isValid ? { range, size } : undefined;
}

/**
 * Returns the `Content-Range` header (RFC 9110 §14.4) of a 206 with a range that is not empty, or that of a 416 if `range`
 * is undefined. `length` is the length of the whole representation in bytes.
 *
 * @example
 * toContentRange({ start: 0, end: 10 }, 100); // 'bytes 0-9/100'
 * toContentRange(undefined, 100); // 416: unsatisfied range
 */
export function toContentRange(range: ByteRange | undefined, length: number): string {
  return range === undefined ? `bytes */${length}` : `bytes ${range.start}-${range.end - 1}/${length}`;
}

/**
 * Returns whether an If-None-Match header names the entity tag, by weak comparison (RFC 9110 §13.1.2). The tag must not
 * contain a comma.
 *
 * @example
 * matchesIfNoneMatch('W/"a", "b"', '"a"'); // true
 */
export function matchesIfNoneMatch(header: string | null, entityTag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/**
 * Returns whether a request with this If-Match header may be answered: there is none, it is `*`, or it names the entity tag by
 * strong comparison (RFC 9110 §13.1.1). The tag must not contain a comma.
 */
export function matchesIfMatch(header: string | null, entityTag: string): boolean {
  if (header === null || header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim() === entityTag);
}

/**
 * Returns whether the Range header applies: there is no If-Range header, or it matches the entity tag by strong comparison
 * (RFC 9110 §13.1.5). A date never matches, nor does a representation without a tag.
 *
 * @example
 * ifRangeMatches('"a"', '"b"'); // false: the range is ignored
 */
export function ifRangeMatches(ifRange: string | null, entityTag: string | undefined): boolean {
  return ifRange === null || ifRange.trim() === entityTag;
}

/**
 * Returns whether an entity tag is strong, so that equal tags mean equal bytes and `If-Match` can match it (RFC 9110
 * §8.8.3, §13.1.1).
 */
export function isStrongEntityTag(value: string): boolean {
  return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(value);
}
