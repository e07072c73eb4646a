import { virtualOffsetFromHalves } from '@htskit/bgzf';
import type { Chunk } from '../chunk.js';
import type { OverlappingBins } from './overlapping-bins.js';
import { chunksEnd, type ReferenceBins } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';
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
  let positions: readonly number[] = [];
  for (let level = 0; level < input.overlapping.toRanks.length; level++) {
    positions = mergeRuns(input.words, positions, selectChunks(input, bounds, level));
  }
  return joinChunks(input.words, bounds, positions);
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

/**
 * Where the chunks stand of a level's bins that overlap the region and that lie at least in part within the bounds, in
 * the order in which they start in the file. A measured loop: of a sorted file, where bins and their chunks are in that
 * order, it touches little else than what it returns.
 */
function selectChunks({ words, bins, overlapping }: RegionChunksInput, bounds: Bounds, level: number): number[] {
  const { lowerAt, upperAt } = bounds;
  const toRank = overlapping.toRanks[level] ?? 0;
  const run: number[] = [];
  let isAscending = true;
  let previousAt = NOWHERE;
  for (let rank = overlapping.fromRanks[level] ?? 0; rank < toRank; rank++) {
    bins.earliestAt(rank);
    const { isSorted } = bins;
    const firstAt = wordAt(bins.chunksAt, rank);
    const end = chunksEnd(words, firstAt);
    let at = isSorted ? skipChunks(words, firstAt, lowerAt) : firstAt;
    isAscending &&= isSorted && (previousAt === NOWHERE || at === end || !isLess(words, at, previousAt));
    for (; at < end; at += CHUNK_WORDS) {
      if (upperAt !== NOWHERE && !isLess(words, at, upperAt)) {
        if (isSorted) break;
        continue;
      }
      run.push(at);
      previousAt = at;
    }
  }
  return isAscending ? run : run.sort((a, b) => (isLess(words, a, b) ? -1 : Number(isLess(words, b, a))));
}

/** Where the first of a bin's sorted chunks stands that ends behind the lower bound. */
function skipChunks(words: Uint32Array, chunksAt: number, lowerAt: number): number {
  if (lowerAt === NOWHERE || isLess(words, lowerAt, chunksAt + 2)) return chunksAt;
  let low = 1;
  let high = wordAt(words, chunksAt - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLess(words, lowerAt, chunksAt + CHUNK_WORDS * middle + 2)) high = middle;
    else low = middle + 1;
  }
  return chunksAt + CHUNK_WORDS * low;
}

/** Merges two sorted runs. Level by level, that is several times faster than sorting all. */
function mergeRuns(words: Uint32Array, left: readonly number[], right: readonly number[]): readonly number[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const merged: number[] = [];
  let next = 0;
  for (let rank = 0; rank < right.length; rank++) {
    const rightAt = right[rank] ?? NOWHERE;
    for (; next < left.length; next++) {
      const leftAt = left[next] ?? NOWHERE;
      if (isLess(words, rightAt, leftAt)) break;
      merged.push(leftAt);
    }
    merged.push(rightAt);
  }
  for (; next < left.length; next++) merged.push(left[next] ?? NOWHERE);
  return merged;
}

/** Joins chunks that overlap or touch, and clips them to the bounds. */
function joinChunks(words: Uint32Array, bounds: Bounds, positions: readonly number[]): Chunk[] {
  const chunks: Chunk[] = [];
  const [firstAt] = positions;
  if (firstAt === undefined) return chunks;
  let startAt = firstAt;
  let endAt = firstAt + 2;
  for (let rank = 1; rank < positions.length; rank++) {
    const at = positions[rank] ?? NOWHERE;
    if (isLess(words, endAt, at)) {
      pushClipped(chunks, words, { startAt, endAt }, bounds);
      startAt = at;
      endAt = at + 2;
    } else if (isLess(words, endAt, at + 2)) endAt = at + 2;
  }
  pushClipped(chunks, words, { startAt, endAt }, bounds);
  return chunks;
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
    start: virtualOffsetFromHalves(wordAt(words, startAt), wordAt(words, startAt + 1)),
    end: virtualOffsetFromHalves(wordAt(words, endAt), wordAt(words, endAt + 1)),
  });
}
