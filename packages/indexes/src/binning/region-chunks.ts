import { compareVirtualOffsets, type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import type { BinLevel } from './binning-scheme.js';
import { findBin, type ReferenceBins } from './reference-bins.js';
import { isLess, lesserAt, NOWHERE, wordAt } from './words.js';

/** A region of a reference, which is not empty and lies within the bases that the scheme covers. */
export interface BinnedRegion {
  readonly words: Uint32Array;
  readonly levels: readonly BinLevel[];
  readonly bins: ReferenceBins;
  readonly baseStart: number;
  readonly baseEnd: number;
}

/** The bins of a reference that overlap a region (SAMv1 §5.3, reg2bins), as a half-open range of indexes for each level. */
export interface OverlappingBins {
  /** By level, the index of the first bin in the region, or that of the next bin if none is in it. */
  readonly firstBins: readonly number[];
  /** By level, the index just after the last bin in the region. */
  readonly endBins: readonly number[];
}

/** Finds the bins that overlap a region. */
export function findOverlappingBins({ bins, levels, baseStart, baseEnd }: BinnedRegion): OverlappingBins {
  const { numbers, levelStarts } = bins;
  const firstBins = new Array<number>(levels.length);
  const endBins = new Array<number>(levels.length);
  for (let level = 0; level < levels.length; level++) {
    const { first, span } = levels[level] ?? { first: 0, span: 1 };
    const levelEnd = wordAt(levelStarts, level + 1);
    const from = findBin(numbers, first + Math.floor(baseStart / span), wordAt(levelStarts, level), levelEnd);
    firstBins[level] = from;
    endBins[level] = findBin(numbers, first + Math.ceil(baseEnd / span), from, levelEnd);
  }
  return { firstBins, endBins };
}

/**
 * Returns a part of the file in which every record starts within the region, or undefined if the index does not identify
 * one. In a sorted file, whatever follows the first record of a bin that begins at or after the start of the region starts
 * there or later, and whatever precedes the end of the last record of a bin that ends at or before the end of the region
 * starts before that. One bin per level is examined for each side.
 */
export function regionInterior({ words, levels, bins, baseStart, baseEnd }: BinnedRegion): Chunk | undefined {
  const { numbers, levelStarts } = bins;
  let startAt = NOWHERE;
  let endAt = NOWHERE;
  for (let level = 0; level < levels.length; level++) {
    const { first, span } = levels[level] ?? { first: 0, span: 1 };
    const from = wordAt(levelStarts, level);
    const to = wordAt(levelStarts, level + 1);
    const next = findBin(numbers, first + Math.ceil(baseStart / span), from, to);
    if (next < to) {
      const at = bins.earliestAt(next);
      startAt = startAt === NOWHERE ? at : lesserAt(words, startAt, at);
    }
    const last = findBin(numbers, first + Math.floor(baseEnd / span), from, to) - 1;
    if (last < from) continue;
    const at = bins.latestEndAt(last);
    if (endAt === NOWHERE || isLess(words, endAt, at)) endAt = at;
  }
  if (startAt === NOWHERE || endAt === NOWHERE || !isLess(words, startAt, endAt)) return undefined;
  return toChunk(words, startAt, endAt);
}

/** The bins and the lower bound from which `regionChunks` selects chunks. */
export interface RegionChunksInput {
  readonly words: Uint32Array;
  readonly bins: ReferenceBins;
  readonly overlapping: OverlappingBins;
  /** The position of the virtual offset before which no record overlaps the region, or NOWHERE. */
  readonly lowerAt: number;
}

/** Returns the chunks that contain every record of a region: sorted, disjoint, and none empty. */
export function regionChunks(input: RegionChunksInput): Chunk[] {
  const bounds = { lowerAt: input.lowerAt, upperAt: findUpperBound(input) };
  return joinRuns(input.words, selectRuns(input, bounds), bounds);
}

/** The positions of the virtual offsets before and after which no record overlaps the region, or NOWHERE. */
interface Bounds {
  readonly lowerAt: number;
  readonly upperAt: number;
}

/**
 * A record in a bin that begins at or after the end of the region also starts there, as do all records after it. So the
 * earliest chunk of such a bin is an upper bound. The first bin after the region is examined on each level.
 */
function findUpperBound({ words, bins, overlapping }: RegionChunksInput): number {
  let upperAt = NOWHERE;
  for (let level = 0; level < overlapping.endBins.length; level++) {
    const bin = overlapping.endBins[level] ?? 0;
    if (bin === wordAt(bins.levelStarts, level + 1)) continue;
    const at = bins.earliestAt(bin);
    upperAt = upperAt === NOWHERE ? at : lesserAt(words, upperAt, at);
  }
  return upperAt;
}

/** The consecutive chunks of the bins of one level that overlap the region, sorted by start, for each level that has any. */
interface LevelRuns {
  /** The positions of the chunks. */
  readonly chunksAt: Uint32Array;
  /** By run, the index of the next chunk. It advances as chunks are taken. */
  readonly next: number[];
  readonly end: readonly number[];
  readonly count: number;
}

/**
 * Selects the runs, without the chunks that end at or before the lower bound if a binary search can skip them, and without
 * the runs that begin at or after the upper bound.
 */
function selectRuns({ words, bins, overlapping }: RegionChunksInput, { lowerAt, upperAt }: Bounds): LevelRuns {
  const { chunksAt, firstChunks } = bins;
  const canSkip = lowerAt !== NOWHERE && bins.isSorted;
  const next = new Array<number>(overlapping.endBins.length);
  const end = new Array<number>(overlapping.endBins.length);
  let count = 0;
  for (let level = 0; level < overlapping.endBins.length; level++) {
    let low = wordAt(firstChunks, overlapping.firstBins[level] ?? 0);
    const runEnd = wordAt(firstChunks, overlapping.endBins[level] ?? 0);
    // Usually there is nothing to skip, but the bins of the upper levels have many chunks.
    let high = !canSkip || isLess(words, lowerAt, wordAt(chunksAt, low) + 2) ? low : runEnd;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLess(words, lowerAt, wordAt(chunksAt, middle) + 2)) high = middle;
      else low = middle + 1;
    }
    if (low === runEnd || (upperAt !== NOWHERE && !isLess(words, wordAt(chunksAt, low), upperAt))) continue;
    next[count] = low;
    end[count++] = runEnd;
  }
  return { chunksAt, next, end, count };
}

/** Joins chunks of all runs that overlap or touch, and clips them to the bounds. */
function joinRuns(words: Uint32Array, runs: LevelRuns, bounds: Bounds): Chunk[] {
  const chunks: Chunk[] = [];
  for (let startAt = takeFirst(words, runs); startAt !== NOWHERE; startAt = takeFirst(words, runs)) {
    if (bounds.upperAt !== NOWHERE && !isLess(words, startAt, bounds.upperAt)) break;
    let endAt = startAt + 2;
    for (let extendedAt = extend(words, runs, endAt); extendedAt !== endAt; extendedAt = extend(words, runs, endAt)) {
      endAt = extendedAt;
    }
    pushClipped(chunks, words, { startAt, endAt }, bounds);
  }
  return chunks;
}

/** Takes the remaining chunk that starts first and returns its position, or NOWHERE if none remains. */
function takeFirst(words: Uint32Array, { chunksAt, next, end, count }: LevelRuns): number {
  let firstAt = NOWHERE;
  let firstRun = 0;
  for (let run = 0; run < count; run++) {
    const chunk = next[run] ?? 0;
    if (chunk === end[run]) continue;
    const at = wordAt(chunksAt, chunk);
    if (firstAt !== NOWHERE && !isLess(words, at, firstAt)) continue;
    firstAt = at;
    firstRun = run;
  }
  if (firstAt !== NOWHERE) next[firstRun] = (next[firstRun] ?? 0) + 1;
  return firstAt;
}

/** Takes the chunks that start at or before the end at position `endAt` and returns the position of the latest end. */
function extend(words: Uint32Array, { chunksAt, next, end, count }: LevelRuns, endAt: number): number {
  let extendedAt = endAt;
  let low = wordAt(words, endAt);
  let high = wordAt(words, endAt + 1);
  for (let run = 0; run < count; run++) {
    const runEnd = end[run] ?? 0;
    let chunk = next[run] ?? 0;
    for (; chunk < runEnd; chunk++) {
      const at = wordAt(chunksAt, chunk);
      const startHigh = wordAt(words, at + 1);
      if (startHigh > high || (startHigh === high && wordAt(words, at) > low)) break;
      const endLow = wordAt(words, at + 2);
      const endHigh = wordAt(words, at + 3);
      if (endHigh < high || (endHigh === high && endLow <= low)) continue;
      extendedAt = at + 2;
      low = endLow;
      high = endHigh;
    }
    next[run] = chunk;
  }
  return extendedAt;
}

function pushClipped(
  chunks: Chunk[],
  words: Uint32Array,
  chunk: { readonly startAt: number; readonly endAt: number },
  { lowerAt, upperAt }: Bounds,
): void {
  const startAt = lowerAt !== NOWHERE && isLess(words, chunk.startAt, lowerAt) ? lowerAt : chunk.startAt;
  const endAt = upperAt === NOWHERE ? chunk.endAt : lesserAt(words, chunk.endAt, upperAt);
  if (isLess(words, startAt, endAt)) chunks.push(toChunk(words, startAt, endAt));
}

function toChunk(words: Uint32Array, startAt: number, endAt: number): Chunk {
  return {
    start: virtualOffsetFromU64(wordAt(words, startAt), wordAt(words, startAt + 1)),
    end: virtualOffsetFromU64(wordAt(words, endAt), wordAt(words, endAt + 1)),
  };
}

/** A half-open range of virtual offsets in a BGZF file that begins and ends at a record (SAMv1 §5.2). */
export interface Chunk {
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
}

/** Options of `mergeChunks`. */
export interface MergeOptions {
  /**
   * Joins also chunks that are at most this many compressed bytes apart, measured from the start of the block in which the
   * first chunk ends to the start of the block in which the next begins. Set it to the cost of one more read. By default only
   * chunks that overlap or touch are joined.
   */
  readonly maxGap?: number | undefined;
}

/**
 * Sorts chunks, drops empty ones, and joins those that overlap or touch.
 *
 * @example
 * const chunks = mergeChunks([...index.chunks(first), ...index.chunks(second)], { maxGap: 65_536 });
 */
export function mergeChunks(chunks: readonly Chunk[], { maxGap }: MergeOptions = {}): Chunk[] {
  const sorted = chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .sort((a, b) => compareVirtualOffsets(a.start, b.start));
  const merged: Chunk[] = [];
  for (const chunk of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !isJoined(last, chunk, maxGap)) merged.push(chunk);
    else if (compareVirtualOffsets(last.end, chunk.end) < 0) {
      merged[merged.length - 1] = { start: last.start, end: chunk.end };
    }
  }
  return merged;
}

function isJoined({ end }: Chunk, { start }: Chunk, maxGap: number | undefined): boolean {
  return compareVirtualOffsets(end, start) >= 0 || (maxGap !== undefined && start.coffset - end.coffset <= maxGap);
}
