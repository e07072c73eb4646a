import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import { virtualOffsetFromU64 } from '@htskit/bgzf/internal';
import type { BinLevel } from './binning-scheme.js';
import type { ReferenceBins } from './reference-bins.js';
import { isLess, lesserAt, NOWHERE, wordAt } from './words.js';

/** A region of a reference, which is not empty and lies within the bases that the scheme covers. */
export interface BinnedRegion {
  readonly words: Uint32Array;
  readonly levels: readonly BinLevel[];
  readonly bins: ReferenceBins;
  readonly baseStart: number;
  readonly baseEnd: number;
}

/**
 * Returns a part of the file in which every record starts within the region, or undefined if the index does not identify
 * one. In a sorted file, whatever follows the first record of a bin that begins at or after the start of the region starts
 * there or later, and whatever precedes the end of the last record of a bin that ends at or before the end of the region
 * starts before that. One bin per level is examined for each side.
 */
export function regionInterior({ words, levels, bins, baseStart, baseEnd }: BinnedRegion): Chunk | undefined {
  let startAt = NOWHERE;
  let endAt = NOWHERE;
  for (const [level, { span }] of levels.entries()) {
    const at = bins.earliestAt(bins.slotOf(level, Math.ceil(baseStart / span)));
    if (at !== NOWHERE) startAt = startAt === NOWHERE ? at : lesserAt(words, startAt, at);
    const last = bins.previousSlot(level, bins.slotOf(level, Math.floor(baseEnd / span)));
    if (last === undefined) continue;
    const lastEndAt = bins.latestEndAt(words, last);
    if (endAt === NOWHERE || isLess(words, endAt, lastEndAt)) endAt = lastEndAt;
  }
  if (startAt === NOWHERE || endAt === NOWHERE || !isLess(words, startAt, endAt)) return undefined;
  return toChunk(words, startAt, endAt);
}

/** Returns the chunk between the virtual offsets at two positions. */
export function toChunk(words: Uint32Array, startAt: number, endAt: number): Chunk {
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
  readonly maxGap?: number;
}

/** Sorts chunks, drops empty ones, and joins those that overlap or touch. */
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
