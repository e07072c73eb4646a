import { virtualOffsetFromHalves } from '@htskit/bgzf';
import type { Chunk } from '../chunk.js';
import { findRank } from './bin-order.js';
import type { BinLevel } from './binning-scheme.js';
import { chunksEnd, earliestChunk, type ReferenceBins } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';
import { comparePairs, type IndexWords, invalidAt, NOWHERE, wordAt } from './words.js';

export interface RegionChunksInput {
  readonly data: IndexWords;
  readonly levels: readonly BinLevel[];
  readonly bins: ReferenceBins;
  /** Not empty, and within what the scheme covers. */
  readonly baseStart: number;
  readonly baseEnd: number;
  /** Where the virtual offset stands before which no record overlaps the region; or NOWHERE. */
  readonly lowerAt: number;
}

/** The parts of the file in which the records of a region are: sorted, apart from each other, none empty. */
export function regionChunks(input: RegionChunksInput): Chunk[] {
  return joinChunks(input, selectChunks(input));
}

interface Selection {
  /** Where the chunks stand, in the order in which they start in the file. */
  readonly positions: readonly number[];
  /** Where the virtual offset stands at which no record overlaps the region any more; or NOWHERE. */
  readonly upperAt: number;
}

/**
 * Selects the chunks of all bins that overlap the region (SAMv1 §5.3, reg2bins) and end behind the lower bound. A record
 * of a bin that begins at or after the end of the region starts there too, as do all records that follow it, so the
 * earliest chunk of such a bin is an upper bound. On each level the first bin after the region is asked for it.
 */
function selectChunks({ data, levels, bins, baseStart, baseEnd, lowerAt }: RegionChunksInput): Selection {
  const { words } = data;
  const { numbers, chunksAt, levelRanks } = bins;
  const positions: number[] = [];
  let upperAt = NOWHERE;
  let depth = 0;
  for (const { first, span } of levels) {
    const selected = positions.length;
    const from = wordAt(levelRanks, depth++);
    const to = wordAt(levelRanks, depth);
    const lastNumber = first + Math.floor((baseEnd - 1) / span);
    let rank = findRank(numbers, first + Math.floor(baseStart / span), from, to);
    for (; rank < to && wordAt(numbers, rank) <= lastNumber; rank++) {
      const end = chunksEnd(words, wordAt(chunksAt, rank));
      for (let at = wordAt(chunksAt, rank); at < end; at += CHUNK_WORDS) {
        if (comparePairs(words, at, at + 2) > 0) throw invalidAt(data, at, 'a chunk ends before it starts');
        if (lowerAt === NOWHERE || comparePairs(words, at + 2, lowerAt) > 0) positions.push(at);
      }
    }
    mergeRun(words, positions, selected);
    if (rank < to) {
      const at = earliestChunk(words, bins, rank);
      if (upperAt === NOWHERE || comparePairs(words, at, upperAt) < 0) upperAt = at;
    }
  }
  return { positions, upperAt };
}

/**
 * Merges what stands from `middle` on into the sorted part before it, in place. The chunks of a level are in file order in the
 * index of a sorted file, which makes merging level by level several times faster than sorting all.
 */
function mergeRun(words: Uint32Array, positions: number[], middle: number): void {
  if (!isSorted(words, positions, middle)) {
    positions.sort((a, b) => comparePairs(words, a, b));
    return;
  }
  const left = positions.slice(0, middle);
  let rank = 0;
  let next = middle;
  for (const at of left) {
    for (
      let right = positions[next];
      right !== undefined && comparePairs(words, right, at) < 0;
      right = positions[next]
    ) {
      positions[rank++] = right;
      next++;
    }
    positions[rank++] = at;
  }
}

function isSorted(words: Uint32Array, positions: readonly number[], from: number): boolean {
  for (let rank = from + 1; rank < positions.length; rank++) {
    if (comparePairs(words, positions[rank - 1] ?? NOWHERE, positions[rank] ?? NOWHERE) > 0) return false;
  }
  return true;
}

/** Clips chunks to the bounds and joins those that overlap or touch. */
function joinChunks({ data, lowerAt }: RegionChunksInput, { positions, upperAt }: Selection): Chunk[] {
  const { words } = data;
  const chunks: Chunk[] = [];
  let startAt = NOWHERE;
  let endAt = NOWHERE;
  for (const at of positions) {
    const clippedStart = lowerAt !== NOWHERE && comparePairs(words, at, lowerAt) < 0 ? lowerAt : at;
    const clippedEnd = upperAt !== NOWHERE && comparePairs(words, upperAt, at + 2) < 0 ? upperAt : at + 2;
    if (comparePairs(words, clippedStart, clippedEnd) >= 0) continue;
    if (endAt === NOWHERE || comparePairs(words, endAt, clippedStart) < 0) {
      if (endAt !== NOWHERE) chunks.push(toChunk(words, startAt, endAt));
      startAt = clippedStart;
      endAt = clippedEnd;
    } else if (comparePairs(words, endAt, clippedEnd) < 0) endAt = clippedEnd;
  }
  if (endAt !== NOWHERE) chunks.push(toChunk(words, startAt, endAt));
  return chunks;
}

function toChunk(words: Uint32Array, startAt: number, endAt: number): Chunk {
  return {
    start: virtualOffsetFromHalves(wordAt(words, startAt), wordAt(words, startAt + 1)),
    end: virtualOffsetFromHalves(wordAt(words, endAt), wordAt(words, endAt + 1)),
  };
}
