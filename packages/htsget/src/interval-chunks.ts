import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex, Chunk, RegionQuery } from '@htskit/indexes';
import type { CutSegment, ReferenceInterval } from './plan.js';

/** A part of the file, and the intervals whose records are to be found in it; none if all records are wanted. */
export interface IntervalChunk extends Chunk, Pick<CutSegment, 'recordsFrom'> {
  readonly intervals: readonly ReferenceInterval[];
}

/** A part of the file, and the intervals that have chunks in it, by their rank among all. */
interface Part extends Chunk {
  end: VirtualOffset;
  readonly ranks: Set<number>;
}

/**
 * The chunks of all intervals in file order, none of which overlap. Those that do, or touch, are one, and keep the intervals of
 * each.
 */
export function findIntervalChunks(index: BinningIndex, intervals: readonly ReferenceInterval[]): IntervalChunk[] {
  const found = intervals.flatMap((interval, rank) =>
    index.chunks(toQuery(index, interval)).map(({ start, end }) => ({ start, end, rank })),
  );
  const parts: Part[] = [];
  for (const { start, end, rank } of found.sort((a, b) => compareVirtualOffsets(a.start, b.start))) {
    const last = parts.at(-1);
    if (last === undefined || compareVirtualOffsets(last.end, start) < 0) {
      parts.push({ start, end, ranks: new Set([rank]) });
    } else {
      last.end = later(last.end, end);
      last.ranks.add(rank);
    }
  }
  return parts.map(({ start, end, ranks }) => ({
    start,
    end,
    intervals: intervals.filter((_, rank) => ranks.has(rank)),
  }));
}

/** What an index calls the reference of an interval. */
export function toQuery(
  index: BinningIndex,
  { referenceName, referenceId, start, end }: ReferenceInterval,
): RegionQuery & { readonly start: number; readonly end: number } {
  const isNamed = index.tabix !== undefined;
  return { referenceId: isNamed ? (index.referenceId(referenceName) ?? -1) : referenceId, start, end };
}

/** Whichever of two offsets lies behind the other. */
export function later(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? b : a;
}
