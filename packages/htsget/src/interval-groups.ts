import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex } from '@htskit/indexes';
import { toQuery } from './interval-chunks.js';
import { packedLength } from './packed-intervals.js';
import { type CutSegment, MAX_INTERVAL_CHARACTERS, MAX_INTERVALS, type ReferenceInterval } from './plan.js';

const FILE_START: VirtualOffset = { coffset: 0, uoffset: 0 };

/** Intervals whose records are cut out together, and from which base on, since the group before gives those in front of it. */
export interface IntervalGroup extends Pick<CutSegment, 'recordsFrom'> {
  readonly intervals: readonly ReferenceInterval[];
}

/** Whether a block URL can carry the intervals. Names of references may be very long. */
export function fitsUrl(intervals: readonly ReferenceInterval[]): boolean {
  return intervals.length <= MAX_INTERVALS && packedLength(intervals) <= MAX_INTERVAL_CHARACTERS;
}

/**
 * Sorted intervals in groups that a block URL can carry, in the order in which their records follow one another: references
 * need not be in the file as in its header. A single group where the URL cannot even carry each of them.
 */
export function groupIntervals(intervals: readonly ReferenceInterval[], index: BinningIndex): IntervalGroup[] {
  if (fitsUrl(intervals)) return [{ intervals }];
  const longest = intervals.reduce((length, interval) => Math.max(length, packedLength([interval])), 0);
  const count = Math.min(MAX_INTERVALS, Math.floor(MAX_INTERVAL_CHARACTERS / longest));
  if (count < 1) return [{ intervals }];
  const sorted = inFileOrder(intervals, index);
  return Array.from({ length: Math.ceil(sorted.length / count) }, (_, rank) => {
    const group = sorted.slice(rank * count, (rank + 1) * count);
    const before = sorted[rank * count - 1];
    // What overlaps an interval of this group and one before it also overlaps the last base of the last one before it.
    const recordsFrom = before?.referenceName === group[0]?.referenceName ? before?.end : undefined;
    return { intervals: group, recordsFrom };
  });
}

function inFileOrder(intervals: readonly ReferenceInterval[], index: BinningIndex): readonly ReferenceInterval[] {
  const starts = new Map<string, VirtualOffset>();
  for (const interval of intervals) {
    if (starts.has(interval.referenceName)) continue;
    const [first] = index.chunks({ ...toQuery(index, interval), start: 0, end: Number.MAX_SAFE_INTEGER });
    starts.set(interval.referenceName, first?.start ?? FILE_START);
  }
  const startOf = ({ referenceName }: ReferenceInterval): VirtualOffset => starts.get(referenceName) ?? FILE_START;
  return [...intervals].sort((a, b) => compareVirtualOffsets(startOf(a), startOf(b)));
}
