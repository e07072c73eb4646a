import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { Chunk, RegionQuery } from '@htskit/indexes';
import { fitsUrl, MAX_INTERVAL_CHARACTERS, MAX_INTERVALS, packedLength } from './packed-intervals.js';
import type { CutSegment, ReferenceInterval } from './plan.js';
import { mergeIntervals } from './reference-intervals.js';

const FILE_START: VirtualOffset = { coffset: 0, uoffset: 0 };

/** The part of an index that finds chunks. */
export interface ChunkIndex {
  readonly tabix: object | undefined;
  referenceId(name: string): number | undefined;
  chunks(region: RegionQuery): Chunk[];
}

/** A part of the file and the intervals whose records it is searched for. Without intervals all its records are wanted. */
export interface IntervalChunk extends Chunk, Pick<CutSegment, 'recordsFrom'> {
  readonly intervals: readonly ReferenceInterval[];
}

/**
 * Returns the chunks of all intervals in file order. Overlapping and touching chunks are merged and keep the intervals of
 * each.
 */
export function findIntervalChunks(index: ChunkIndex, intervals: readonly ReferenceInterval[]): IntervalChunk[] {
  const found = intervals.flatMap((interval, intervalIndex) =>
    index.chunks(toQuery(index, interval)).map(({ start, end }) => ({ start, end, intervalIndex })),
  );
  const parts: { start: VirtualOffset; end: VirtualOffset; intervalIndexes: Set<number> }[] = [];
  for (const { start, end, intervalIndex } of found.sort((a, b) => compareVirtualOffsets(a.start, b.start))) {
    const last = parts.at(-1);
    if (last === undefined || compareVirtualOffsets(last.end, start) < 0) {
      parts.push({ start, end, intervalIndexes: new Set([intervalIndex]) });
    } else {
      last.end = later(last.end, end);
      last.intervalIndexes.add(intervalIndex);
    }
  }
  return parts.map(({ start, end, intervalIndexes }) => ({
    start,
    end,
    intervals: [...intervalIndexes].sort((a, b) => a - b).flatMap((intervalIndex) => intervals[intervalIndex] ?? []),
  }));
}

/**
 * Joins chunks with at most `gapBytes` compressed bytes between them. Filtering out the records of the gap costs less than
 * another cut.
 */
export function joinNear(chunks: readonly IntervalChunk[], gapBytes: number): IntervalChunk[] {
  const runs: [IntervalChunk, ...IntervalChunk[]][] = [];
  for (const chunk of chunks) {
    const run = runs.at(-1);
    if (run === undefined || chunk.start.coffset - (run.at(-1) ?? chunk).end.coffset > gapBytes) runs.push([chunk]);
    else run.push(chunk);
  }
  return runs.map((run) => {
    const [first] = run;
    const intervals = run.flatMap((chunk) => chunk.intervals);
    return { start: first.start, end: (run.at(-1) ?? first).end, intervals: mergeIntervals(intervals) };
  });
}

/**
 * A group of intervals whose records are extracted by one cut. With `recordsFrom` they are of one reference, and the
 * previous group covers its records that begin before that base.
 */
export interface IntervalGroup extends Pick<CutSegment, 'recordsFrom'> {
  readonly intervals: readonly ReferenceInterval[];
}

/**
 * Splits sorted intervals into groups that fit into a block URL. The groups are in the order of their records in the file,
 * which need not order references as its header does. If not even a single interval fits, all form one group.
 */
export function groupIntervals(intervals: readonly ReferenceInterval[], index: ChunkIndex): IntervalGroup[] {
  if (fitsUrl(intervals)) return [{ intervals }];
  const longest = intervals.reduce((length, interval) => Math.max(length, packedLength([interval])), 0);
  const count = Math.min(MAX_INTERVALS, Math.floor(MAX_INTERVAL_CHARACTERS / longest));
  if (count < 1) return [{ intervals }];
  const sorted = sortByFileOrder(intervals, index);
  const groups: IntervalGroup[] = [];
  for (let start = 0; start < sorted.length; ) {
    const previous = sorted[start - 1];
    const referenceName = sorted[start]?.referenceName;
    const group = sorted.slice(start, start + count);
    if (previous?.referenceName === referenceName) {
      // A record that overlaps an interval of this group and an earlier one also overlaps the last base of the previous one.
      const nextReference = group.findIndex((interval) => interval.referenceName !== referenceName);
      if (nextReference > 0) group.length = nextReference;
      groups.push({ intervals: group, recordsFrom: previous?.end });
    } else groups.push({ intervals: group });
    start += group.length;
  }
  return groups;
}

function sortByFileOrder(intervals: readonly ReferenceInterval[], index: ChunkIndex): readonly ReferenceInterval[] {
  const starts = new Map<string, VirtualOffset>();
  for (const interval of intervals) {
    if (starts.has(interval.referenceName)) continue;
    const [first] = index.chunks({ ...toQuery(index, interval), start: 0, end: Number.MAX_SAFE_INTEGER });
    starts.set(interval.referenceName, first?.start ?? FILE_START);
  }
  const startOf = ({ referenceName }: ReferenceInterval): VirtualOffset => starts.get(referenceName) ?? FILE_START;
  return [...intervals].sort((a, b) => compareVirtualOffsets(startOf(a), startOf(b)));
}

/** Converts an interval to a query of the index, which may number references by its own names. */
export function toQuery(
  index: Pick<ChunkIndex, 'referenceId' | 'tabix'>,
  { referenceName, referenceId, start, end }: ReferenceInterval,
): RegionQuery & { readonly start: number; readonly end: number } {
  const isNamed = index.tabix !== undefined;
  return { referenceId: isNamed ? (index.referenceId(referenceName) ?? -1) : referenceId, start, end };
}

/** Returns the later of two offsets. */
export function later(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? b : a;
}
