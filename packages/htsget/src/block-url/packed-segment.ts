import type { LengthKeys } from '@htskit/formats/internal';
import { toAsciiJson } from '@htskit/http/internal';
import { type PackedIntervals, packIntervals, unpackIntervals } from '../plan/packed-intervals.js';
import type { ClaimedSegment } from '../plan/plan.js';

/**
 * A segment in a token, as an array: nothing else for the header of a converted answer; otherwise 1 for the body or 0 for the
 * header, and then nothing for the end marker, the bounds of a range, or those of a cut, its intervals, and what its filter
 * depends on. Objects would take twice as many characters.
 */
export type PackedSegment = readonly (number | PackedIntervals | LengthKeys | null)[];

/** Returns the array of a segment. */
export function toPacked(segment: ClaimedSegment): PackedSegment {
  if (segment.kind === 'header') return [];
  if (segment.kind === 'end') return [1];
  const part = segment.class === 'body' ? 1 : 0;
  if (segment.kind === 'range') return [part, segment.start, segment.end];
  const { start, end, intervals, recordsFrom, lengthKeys, isUnsorted } = segment;
  const bounds = [part, start.coffset, start.uoffset, end.coffset, end.uoffset];
  if (intervals === undefined) return bounds;
  const packed = packIntervals(intervals);
  if (recordsFrom === undefined && lengthKeys === undefined && isUnsorted !== true) return [...bounds, packed];
  return [...bounds, packed, recordsFrom ?? null, lengthKeys ?? null, ...(isUnsorted === true ? [1] : [])];
}

/** The inverse of `toPacked`. */
export function fromPacked(segment: PackedSegment): ClaimedSegment {
  const [part, first, second, third, fourth] = segment as readonly [number, number, number, number, number];
  const partName = part === 1 ? 'body' : 'header';
  if (segment.length === 0) return { kind: 'header', class: 'header' };
  if (segment.length === 1) return { kind: 'end', class: 'body' };
  if (segment.length === 3) return { kind: 'range', class: partName, start: first, end: second };
  const [intervals, recordsFrom, lengthKeys, isUnsorted] = segment.slice(5) as [
    PackedIntervals?,
    number?,
    LengthKeys?,
    number?,
  ];
  return {
    kind: 'cut',
    class: partName,
    start: { coffset: first, uoffset: second },
    end: { coffset: third, uoffset: fourth },
    intervals: intervals && unpackIntervals(intervals),
    recordsFrom: recordsFrom ?? undefined,
    lengthKeys: lengthKeys ?? undefined,
    isUnsorted: isUnsorted === undefined ? undefined : true,
  };
}

/** The maximum number of characters of all segments in a block URL. A cut with the most intervals fits. */
export const MAX_SEGMENT_CHARACTERS = 5000;

/** Returns the approximate number of characters that a segment takes in a block URL. */
export function segmentCharacters(segment: ClaimedSegment): number {
  return (toAsciiJson(toPacked(segment)).length * 4) / 3;
}
