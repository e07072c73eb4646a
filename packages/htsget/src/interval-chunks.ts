import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex, Chunk, RegionQuery } from '@htskit/indexes';
import { MAX_INTERVALS, type ReferenceInterval } from './plan.js';

/** A part of the file, and the intervals whose records are to be found in it; none if all records are wanted. */
export interface IntervalChunk extends Chunk {
  readonly intervals: readonly ReferenceInterval[];
}

/** An interval some of whose chunks are in a part, by its rank among all, and where the last of these ends. */
interface Member {
  readonly rank: number;
  readonly end: VirtualOffset;
}

interface Part extends Chunk {
  readonly members: readonly Member[];
}

/**
 * The chunks of all intervals in file order, none of which overlap. Those that do, or touch, are one, and keep the intervals of
 * each; with more than `MAX_INTERVALS` they are parted where a chunk begins, each part with the intervals that have records in
 * it. Only where more begin in one place do more remain.
 */
export function findIntervalChunks(index: BinningIndex, intervals: readonly ReferenceInterval[]): IntervalChunk[] {
  const found = intervals.flatMap((interval, rank) =>
    index.chunks(toQuery(index, interval)).map(({ start, end }) => ({ start, end, rank })),
  );
  const parts: Part[] = [];
  for (const { start, end, rank } of found.sort((a, b) => compareVirtualOffsets(a.start, b.start))) {
    const last = parts.pop();
    if (last === undefined || compareVirtualOffsets(last.end, start) < 0) {
      parts.push(...(last === undefined ? [] : [last]), { start, end, members: [{ rank, end }] });
    } else parts.push(...joinChunk(last, { start, end }, rank));
  }
  return parts.map(({ start, end, members }) => ({ start, end, intervals: toIntervals(members, intervals) }));
}

/** The part with another chunk, as one, or as two where that would have too many intervals. */
function joinChunk(part: Part, { start, end }: Chunk, rank: number): Part[] {
  const others = part.members.filter((member) => member.rank !== rank);
  const known = part.members.find((member) => member.rank === rank);
  const member = { rank, end: known === undefined ? end : later(known.end, end) };
  const partEnd = later(part.end, end);
  const isFull = others.length >= MAX_INTERVALS && known === undefined;
  if (!isFull || compareVirtualOffsets(part.start, start) === 0) {
    return [{ start: part.start, end: partEnd, members: [...others, member] }];
  }
  const lasting = others.filter((other) => compareVirtualOffsets(start, other.end) < 0);
  return [
    { ...part, end: start },
    { start, end: partEnd, members: [...lasting, member] },
  ];
}

function toIntervals(members: readonly Member[], intervals: readonly ReferenceInterval[]): ReferenceInterval[] {
  return members
    .map(({ rank }) => rank)
    .sort((a, b) => a - b)
    .flatMap((rank) => intervals[rank] ?? []);
}

/** What an index calls the reference of an interval. */
export function toQuery(
  index: BinningIndex,
  { referenceName, referenceId, start, end }: ReferenceInterval,
): RegionQuery & { readonly start: number; readonly end: number } {
  const isNamed = index.tabix !== undefined;
  return { referenceId: isNamed ? (index.referenceId(referenceName) ?? -1) : referenceId, start, end };
}

function later(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? b : a;
}
