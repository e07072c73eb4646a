import { virtualOffsetFromU64 } from '@htskit/bgzf';
import type { Chunk } from '../chunk.js';
import type { OverlappingBins } from './overlapping-bins.js';
import type { ReferenceBins } from './reference-bins.js';
import { isLess, lesserAt, NOWHERE, wordAt } from './words.js';

export interface RegionChunksInput {
  readonly words: Uint32Array;
  readonly bins: ReferenceBins;
  /** The bins that overlap the region. */
  readonly overlapping: OverlappingBins;
  /** Where the virtual offset stands before which no record overlaps the region; or NOWHERE. */
  readonly lowerAt: number;
}

/** The parts of the file in which the records of a region are: sorted, apart from each other, none empty. */
export function regionChunks(input: RegionChunksInput): Chunk[] {
  const bounds = { lowerAt: input.lowerAt, upperAt: findUpperBound(input) };
  return joinRuns(input.words, selectRuns(input), bounds);
}

/** Where the virtual offsets stand before and behind which no record overlaps the region; or NOWHERE. */
interface Bounds {
  readonly lowerAt: number;
  readonly upperAt: number;
}

/**
 * A record of a bin that begins at or after the end of the region starts there too, as do all records that follow it, so
 * the earliest chunk of such a bin is an upper bound. On each level the first bin after the region is asked for it.
 */
function findUpperBound({ words, bins, overlapping }: RegionChunksInput): number {
  let upperAt = NOWHERE;
  for (let level = 0; level < overlapping.toRanks.length; level++) {
    const rank = overlapping.toRanks[level] ?? 0;
    if (rank === wordAt(bins.levelRanks, level + 1)) continue;
    const at = bins.earliestAt(rank);
    upperAt = upperAt === NOWHERE ? at : lesserAt(words, upperAt, at);
  }
  return upperAt;
}

/** For each level, the chunks of its bins that overlap the region: they follow one another, sorted by their start. */
interface LevelRuns {
  /** Where chunks stand. */
  readonly chunksAt: Uint32Array;
  /** By level, the rank of the next chunk; it is moved. */
  readonly next: number[];
  readonly end: readonly number[];
}

/** What ends at or before the lower bound is left out where it can be found at once. */
function selectRuns({ words, bins, overlapping, lowerAt }: RegionChunksInput): LevelRuns {
  const { chunksAt, firstChunks } = bins;
  const canSkip = lowerAt !== NOWHERE && bins.isSorted;
  const next = new Array<number>(overlapping.toRanks.length);
  const end = new Array<number>(overlapping.toRanks.length);
  for (let level = 0; level < overlapping.toRanks.length; level++) {
    let low = wordAt(firstChunks, overlapping.fromRanks[level] ?? 0);
    const runEnd = wordAt(firstChunks, overlapping.toRanks[level] ?? 0);
    // Mostly there is nothing to leave out, but the bins of the upper levels have many chunks.
    let high = !canSkip || isLess(words, lowerAt, wordAt(chunksAt, low) + 2) ? low : runEnd;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLess(words, lowerAt, wordAt(chunksAt, middle) + 2)) high = middle;
      else low = middle + 1;
    }
    next[level] = low;
    end[level] = runEnd;
  }
  return { chunksAt, next, end };
}

/** Joins chunks that overlap or touch, over all runs at once, and clips them to the bounds. */
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

/** Takes the chunk that starts first of all that are left, and returns where it stands; NOWHERE if none is left. */
function takeFirst(words: Uint32Array, { chunksAt, next, end }: LevelRuns): number {
  let firstAt = NOWHERE;
  let firstLevel = 0;
  for (let level = 0; level < next.length; level++) {
    const chunk = next[level] ?? 0;
    if (chunk === end[level]) continue;
    const at = wordAt(chunksAt, chunk);
    if (firstAt !== NOWHERE && !isLess(words, at, firstAt)) continue;
    firstAt = at;
    firstLevel = level;
  }
  if (firstAt !== NOWHERE) next[firstLevel] = (next[firstLevel] ?? 0) + 1;
  return firstAt;
}

/** Takes what starts at or before the end that stands at `endAt`, and returns where the last end of that stands. */
function extend(words: Uint32Array, { chunksAt, next, end }: LevelRuns, endAt: number): number {
  let extendedAt = endAt;
  for (let level = 0; level < next.length; level++) {
    const runEnd = end[level] ?? 0;
    let chunk = next[level] ?? 0;
    for (; chunk < runEnd; chunk++) {
      const at = wordAt(chunksAt, chunk);
      if (isLess(words, extendedAt, at)) break;
      if (isLess(words, extendedAt, at + 2)) extendedAt = at + 2;
    }
    next[level] = chunk;
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
  if (!isLess(words, startAt, endAt)) return;
  chunks.push({
    start: virtualOffsetFromU64(wordAt(words, startAt), wordAt(words, startAt + 1)),
    end: virtualOffsetFromU64(wordAt(words, endAt), wordAt(words, endAt + 1)),
  });
}
