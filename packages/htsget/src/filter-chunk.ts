import type { IntervalChunk } from './interval-chunks.js';
import { packedLength } from './packed-intervals.js';
import { type CutSegment, MAX_INTERVAL_CHARACTERS, MAX_INTERVALS, type ReferenceInterval } from './plan.js';

/** Whether a block URL can carry the intervals. Names of references may be very long. */
export function fitsUrl(intervals: readonly ReferenceInterval[]): boolean {
  return intervals.length <= MAX_INTERVALS && packedLength(intervals) <= MAX_INTERVAL_CHARACTERS;
}

/**
 * The cuts that keep the records of a chunk's intervals, or all where it has none: one, or several of the same data where
 * so many intervals do not fit a block URL, each of which leaves out the records of those before it. That keeps file order
 * only in a file that `isSorted`. Undefined where it cannot be done.
 */
export function filterChunk(
  { start, end, intervals }: IntervalChunk,
  { isSorted }: { readonly isSorted: boolean },
): CutSegment[] | undefined {
  const cut: CutSegment = { kind: 'cut', class: 'body', start, end };
  if (intervals.length === 0) return [cut];
  if (fitsUrl(intervals)) return [{ ...cut, intervals }];
  const longest = intervals.reduce((length, interval) => Math.max(length, packedLength([interval])), 0);
  const count = Math.min(MAX_INTERVALS, Math.floor(MAX_INTERVAL_CHARACTERS / longest));
  if (!isSorted || count < 1) return undefined;
  return Array.from({ length: Math.ceil(intervals.length / count) }, (_, rank) => {
    const first = intervals[rank * count];
    const before = intervals[rank * count - 1];
    const part = { ...cut, intervals: intervals.slice(rank * count, (rank + 1) * count) };
    // What overlaps an interval of this cut and one before it also overlaps the last base of the last one before it.
    return before?.referenceName === first?.referenceName ? { ...part, recordsFrom: before?.end } : part;
  });
}
