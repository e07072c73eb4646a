import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex } from '@htskit/indexes';
import { type IntervalChunk, toQuery } from './interval-chunks.js';
import { packedLength } from './packed-intervals.js';
import { type CutSegment, MAX_INTERVAL_CHARACTERS, MAX_INTERVALS, type ReferenceInterval } from './plan.js';

const FILE_START: VirtualOffset = { coffset: 0, uoffset: 0 };

/** Whether a block URL can carry the intervals. Names of references may be very long. */
export function fitsUrl(intervals: readonly ReferenceInterval[]): boolean {
  return intervals.length <= MAX_INTERVALS && packedLength(intervals) <= MAX_INTERVAL_CHARACTERS;
}

/**
 * The cuts that keep the records of a chunk's intervals, or all where it has none: one, or several of the same data where
 * so many intervals do not fit a block URL, each of which leaves out the records of those before it. For that an index must
 * tell in what order references follow one another. Undefined where it cannot be done.
 */
export function filterChunk(
  { start, end, intervals }: IntervalChunk,
  index: BinningIndex | undefined,
): CutSegment[] | undefined {
  const cut: CutSegment = { kind: 'cut', class: 'body', start, end };
  if (intervals.length === 0) return [cut];
  // Named one by one: spreading `cut` took a microsecond.
  if (fitsUrl(intervals)) return [{ kind: 'cut', class: 'body', start, end, intervals }];
  const longest = intervals.reduce((length, interval) => Math.max(length, packedLength([interval])), 0);
  const count = Math.min(MAX_INTERVALS, Math.floor(MAX_INTERVAL_CHARACTERS / longest));
  if (index === undefined || count < 1) return undefined;
  const sorted = inFileOrder(intervals, index);
  return Array.from({ length: Math.ceil(sorted.length / count) }, (_, rank) => {
    const first = sorted[rank * count];
    const before = sorted[rank * count - 1];
    const part = { ...cut, intervals: sorted.slice(rank * count, (rank + 1) * count) };
    // What overlaps an interval of this cut and one before it also overlaps the last base of the last one before it.
    return before?.referenceName === first?.referenceName ? { ...part, recordsFrom: before?.end } : part;
  });
}

/** Intervals that follow one another as their records do: references need not be in the file as in its header. */
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
