import { toAsciiJson } from '@htskit/http/internal';
import type { ReferenceInterval } from './plan.js';

/**
 * The maximum number of intervals of one cut. Its block URL contains them and must stay short enough for every server and proxy.
 */
export const MAX_INTERVALS = 64;

/**
 * The maximum number of characters of the intervals in a block URL: many servers and proxies limit a URL and its headers to 8 kB.
 */
export const MAX_INTERVAL_CHARACTERS = 4500;

/** The intervals of a block URL: per reference its id and name, then alternating starts and ends. */
export type PackedIntervals = readonly (readonly [referenceId: number, referenceName: string, ...bounds: number[]])[];

/** Packs intervals for a block URL. Consecutive intervals of one reference name it once. */
export function packIntervals(intervals: readonly ReferenceInterval[]): PackedIntervals {
  const packed: [number, string, ...number[]][] = [];
  for (const { referenceId, referenceName, start, end } of intervals) {
    const last = packed.at(-1);
    if (last?.[0] === referenceId && last[1] === referenceName) last.push(start, end);
    else packed.push([referenceId, referenceName, start, end]);
  }
  return packed;
}

/** The inverse of `packIntervals`. */
export function unpackIntervals(packed: PackedIntervals): ReferenceInterval[] {
  return packed.flatMap(([referenceId, referenceName, ...bounds]) =>
    Array.from({ length: bounds.length / 2 }, (_, index) => {
      const [start = 0, end = 0] = bounds.slice(2 * index);
      return { referenceId, referenceName, start, end };
    }),
  );
}

/** Returns the approximate number of characters that intervals take in a block URL. */
export function packedLength(intervals: readonly ReferenceInterval[]): number {
  return (toAsciiJson(packIntervals(intervals)).length * 4) / 3;
}

/** A name of this length fits with its interval even if each of its characters is escaped. */
const USUAL_NAME_LENGTH = 256;

/** Whether a block URL can contain the intervals. Reference names may be very long. */
export function fitsUrl(intervals: readonly ReferenceInterval[]): boolean {
  if (intervals.length > MAX_INTERVALS) return false;
  const [first] = intervals;
  // A single interval of a usual name is not measured: that would take 2 % of the CPU time of a ticket.
  const isShort = intervals.length === 1 && first !== undefined && first.referenceName.length <= USUAL_NAME_LENGTH;
  return isShort || packedLength(intervals) <= MAX_INTERVAL_CHARACTERS;
}
