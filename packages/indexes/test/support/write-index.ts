import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import type { Chunk } from '../../src/index.js';
import { buildBai, type ReferenceParts } from './build-bai.js';

/** A record of a coordinate-sorted file, as the writer of an index needs it. */
export interface IndexedRecord extends Chunk {
  /** −1 for an unplaced record. */
  readonly referenceId: number;
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly isUnmapped: boolean;
}

/** The habits in which index writers differ. */
export interface WriterHabits {
  /** HTSlib moves the chunks of a small bin to its parent if that exists. */
  readonly mergesSmallBins: boolean;
  /** HTSlib before 1.15 omitted unmapped reads from the linear index. */
  readonly indexesUnmapped: boolean;
  /** The entry of the linear index for a window without records. */
  readonly emptyWindows: 'zero' | 'previous' | 'next';
  readonly hasPseudoBin: boolean;
  readonly hasLinearIndex: boolean;
  /** Returns the sort key that determines the order in which the bins of a reference are written. */
  readonly binOrder: (number: number) => number;
}

/** Writes the BAI of a sorted file, straight from SAMv1 §5.2 and the habits of a writer. */
export function writeBai(records: readonly IndexedRecord[], referenceCount: number, habits: WriterHabits): Uint8Array {
  const references = Array.from({ length: referenceCount }, (_, referenceId) =>
    writeReference(
      records.filter((record) => record.referenceId === referenceId),
      habits,
    ),
  );
  return buildBai(references, records.filter(({ referenceId }) => referenceId === -1).length);
}

function writeReference(records: readonly IndexedRecord[], habits: WriterHabits): ReferenceParts {
  const bins = binChunks(records, reg2bin);
  if (habits.mergesSmallBins) mergeSmallBins(bins);
  const unmapped = records.filter(({ isUnmapped }) => isUnmapped).length;
  return {
    bins: [...bins].sort(([a], [b]) => habits.binOrder(a) - habits.binOrder(b) || a - b),
    ...(habits.hasPseudoBin && { pseudoBin: { mapped: records.length - unmapped, unmapped } }),
    windows: habits.hasLinearIndex ? linearIndex(records, habits) : [],
  };
}

/** SAMv1 §5.3, reg2bin. */
export function reg2bin(beg: number, end: number): number {
  const last = end - 1;
  if (beg >> 14 === last >> 14) return ((1 << 15) - 1) / 7 + (beg >> 14);
  if (beg >> 17 === last >> 17) return ((1 << 12) - 1) / 7 + (beg >> 17);
  if (beg >> 20 === last >> 20) return ((1 << 9) - 1) / 7 + (beg >> 20);
  if (beg >> 23 === last >> 23) return ((1 << 6) - 1) / 7 + (beg >> 23);
  if (beg >> 26 === last >> 26) return ((1 << 3) - 1) / 7 + (beg >> 26);
  return 0;
}

/** Groups consecutive records of one bin into chunks. */
export function binChunks(
  records: readonly IndexedRecord[],
  toBin: (beg: number, end: number) => number,
): Map<number, Chunk[]> {
  const bins = new Map<number, Chunk[]>();
  let previous = -1;
  for (const { baseStart, baseEnd, start, end } of records) {
    const number = toBin(baseStart, baseEnd);
    const chunks = bins.get(number) ?? [];
    const last = chunks.at(-1);
    if (number === previous && last !== undefined) chunks[chunks.length - 1] = { start: last.start, end };
    else chunks.push({ start, end });
    bins.set(number, chunks);
    previous = number;
  }
  return bins;
}

export function mergeSmallBins(bins: Map<number, Chunk[]>): void {
  for (const [number, chunks] of [...bins].sort(([a], [b]) => b - a)) {
    const parent = number === 0 ? undefined : bins.get((number - 1) >> 3);
    const [first, last] = [chunks[0], chunks.at(-1)];
    if (parent === undefined || first === undefined || last === undefined) continue;
    if (last.end.coffset - first.start.coffset >= 65536) continue;
    parent.push(...chunks);
    parent.sort((a, b) => compareVirtualOffsets(a.start, b.start));
    bins.delete(number);
  }
  for (const [number, chunks] of bins) bins.set(number, joinByBlock(chunks));
}

/** HTSlib joins chunks if one begins in the block in which the previous one ends. */
function joinByBlock(chunks: readonly Chunk[]): Chunk[] {
  const joined: Chunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    if (last === undefined || last.end.coffset < chunk.start.coffset) joined.push(chunk);
    else if (compareVirtualOffsets(last.end, chunk.end) < 0) joined[joined.length - 1] = { ...last, end: chunk.end };
  }
  return joined;
}

function linearIndex(records: readonly IndexedRecord[], habits: WriterHabits): VirtualOffset[] {
  const windows: (VirtualOffset | undefined)[] = [];
  for (const { baseStart, baseEnd, start, isUnmapped } of records) {
    if (isUnmapped && !habits.indexesUnmapped) continue;
    for (let window = baseStart >> 14; window <= (baseEnd - 1) >> 14; window++) windows[window] ??= start;
  }
  const known = habits.emptyWindows === 'next' ? [...windows].reverse() : [...windows];
  let filler: VirtualOffset = { coffset: 0, uoffset: 0 };
  const filled = known.map((offset) => {
    if (offset !== undefined && habits.emptyWindows !== 'zero') filler = offset;
    return offset ?? filler;
  });
  return habits.emptyWindows === 'next' ? filled.reverse() : filled;
}
