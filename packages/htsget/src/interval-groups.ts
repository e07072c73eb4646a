import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex } from '@htskit/indexes';
import { toQuery } from './interval-chunks.js';
import { packedLength } from './packed-intervals.js';
import { type CutSegment, MAX_INTERVAL_CHARACTERS, MAX_INTERVALS, type ReferenceInterval } from './plan.js';

const FILE_START: VirtualOffset = { coffset: 0, uoffset: 0 };

/**
 * Intervals whose records are cut out together. With `recordsFrom` they are of one reference, on which the group before gives the
 * records in front of that base.
 */
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
  const groups: IntervalGroup[] = [];
  for (let start = 0; start < sorted.length; ) {
    const before = sorted[start - 1];
    const referenceName = sorted[start]?.referenceName;
    const group = sorted.slice(start, start + count);
    if (before?.referenceName === referenceName) {
      // What overlaps an interval of this group and one before it also overlaps the last base of the last one before it.
      const others = group.findIndex((interval) => interval.referenceName !== referenceName);
      if (others > 0) group.length = others;
      groups.push({ intervals: group, recordsFrom: before?.end });
    } else groups.push({ intervals: group });
    start += group.length;
  }
  return groups;
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
