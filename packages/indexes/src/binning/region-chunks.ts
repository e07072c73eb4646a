import { compareVirtualOffsets, type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import type { BinLevel } from './binning-scheme.js';
import { chunksEnd, type ReferenceBins } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';
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

/**
 * Returns the chunks that contain every record of a region: sorted, disjoint, and none empty. Before the virtual offset at
 * `lowerAt`, no record overlaps the region.
 */
export function regionChunks(region: BinnedRegion, lowerAt: number): Chunk[] {
  const { words } = region;
  const { runs, upperAt } = selectRuns(region, lowerAt);
  return joinRuns(words, runs, { lowerAt, upperAt });
}

/** The positions of the virtual offsets before and after which no record overlaps the region, or NOWHERE. */
interface Bounds {
  readonly lowerAt: number;
  readonly upperAt: number;
}

/** The position of a chunk in the bins of a level. */
interface ChunkPlace {
  /** The slot of the bin, or of one without chunks before it. */
  readonly slot: number;
  readonly at: number;
  /** The position just after the chunks of the bin. */
  readonly binEnd: number;
}

/** The chunks of the bins of one level that overlap a region (SAMv1 §5.3, reg2bins), one after another. */
class ChunkRun {
  /** The position of the chunk, or NOWHERE after the last. */
  at: number;
  readonly #words: Uint32Array;
  readonly #chunksAt: Uint32Array;
  readonly #stopAt: number;
  #slot: number;
  #binEnd: number;

  /** Begins at a chunk and ends before the bin whose chunks begin at `stopAt`, or after the last if that is NOWHERE. */
  constructor({ words, bins }: BinnedRegion, { slot, at, binEnd }: ChunkPlace, stopAt: number) {
    this.#words = words;
    this.#chunksAt = bins.chunksAt;
    this.#slot = slot;
    this.#stopAt = stopAt;
    this.at = at;
    this.#binEnd = binEnd;
  }

  /** Moves to the next chunk. */
  next(): void {
    this.at += CHUNK_WORDS;
    if (this.at === this.#binEnd) this.#nextBin();
  }

  #nextBin(): void {
    const chunksAt = this.#chunksAt;
    const binAt = wordAt(chunksAt, this.#slot);
    do this.#slot++;
    while (chunksAt[this.#slot] === binAt);
    const nextAt = wordAt(chunksAt, this.#slot);
    this.at = nextAt === this.#stopAt ? NOWHERE : nextAt;
    if (this.at !== NOWHERE) this.#binEnd = chunksEnd(this.#words, nextAt);
  }
}

/**
 * Selects the runs of all levels without the chunks that end at or before the lower bound, and the upper bound: a record in a
 * bin that begins at or after the end of the region also starts there, as do all records after it. So the earliest chunk of the
 * first such bin of any level is an upper bound. A measured loop: skipping bins in a function of its own takes a sixth longer.
 */
function selectRuns(region: BinnedRegion, lowerAt: number): { runs: ChunkRun[]; upperAt: number } {
  const { words, levels, bins, baseStart, baseEnd } = region;
  const leafSpan = levels.at(-1)?.span ?? 1;
  const canSkip = lowerAt !== NOWHERE && bins.isSorted;
  const runs: ChunkRun[] = [];
  let upperAt = NOWHERE;
  let upperLeaf = Number.POSITIVE_INFINITY;
  // Ordinals have at most 30 bits. A bin has eight children.
  let first = (baseStart / leafSpan) | 0;
  let end = Math.ceil(baseEnd / leafSpan) | 0;
  for (let level = levels.length - 1, leaves = 1; level >= 0; level--, leaves *= 8) {
    const endSlot = bins.slotOf(level, end);
    const stopAt = bins.earliestAt(endSlot);
    // The upper bound is the start of a record that begins before `upperLeaf`, so before the records of a bin that begins there.
    if (stopAt !== NOWHERE && end * leaves < upperLeaf) {
      upperAt = upperAt === NOWHERE ? stopAt : lesserAt(words, upperAt, stopAt);
      if (bins.hasBin(endSlot, end)) upperLeaf = Math.min(upperLeaf, (end + 1) * leaves);
    }
    for (let slot = bins.slotOf(level, first); bins.earliestAt(slot) !== stopAt; slot++) {
      let at = bins.earliestAt(slot);
      const binEnd = chunksEnd(words, at);
      // Usually there is nothing to skip, but the bins of the upper levels have many chunks.
      if (canSkip && !isLess(words, lowerAt, at + 2)) {
        if (!isLess(words, lowerAt, binEnd - 2)) continue;
        at = firstEndingAfter(words, { at, binEnd }, lowerAt);
      }
      if (upperAt === NOWHERE || isLess(words, at, upperAt)) {
        runs.push(new ChunkRun(region, { slot, at, binEnd }, stopAt));
      }
      break;
    }
    first >>= 3;
    end = (end + 7) >> 3;
  }
  return { runs, upperAt };
}

/** Returns the position of the first chunk of a bin from `at` on that ends after the lower bound, as the last one does. */
function firstEndingAfter(
  words: Uint32Array,
  { at, binEnd }: Pick<ChunkPlace, 'at' | 'binEnd'>,
  lowerAt: number,
): number {
  let low = 0;
  let high = (binEnd - at) / CHUNK_WORDS - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLess(words, lowerAt, at + CHUNK_WORDS * middle + 2)) high = middle;
    else low = middle + 1;
  }
  return at + CHUNK_WORDS * low;
}

/** Joins chunks of all runs that overlap or touch, and clips them to the bounds. */
function joinRuns(words: Uint32Array, runs: readonly ChunkRun[], bounds: Bounds): Chunk[] {
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
function takeFirst(words: Uint32Array, runs: readonly ChunkRun[]): number {
  let first: ChunkRun | undefined;
  for (const run of runs) {
    if (run.at !== NOWHERE && (first === undefined || isLess(words, run.at, first.at))) first = run;
  }
  if (first === undefined) return NOWHERE;
  const { at } = first;
  first.next();
  return at;
}

/** Takes the chunks that start at or before the end at position `endAt` and returns the position of the latest end. */
function extend(words: Uint32Array, runs: readonly ChunkRun[], endAt: number): number {
  let extendedAt = endAt;
  let low = wordAt(words, endAt);
  let high = wordAt(words, endAt + 1);
  for (const run of runs) {
    for (; run.at !== NOWHERE; run.next()) {
      const { at } = run;
      const startHigh = wordAt(words, at + 1);
      if (startHigh > high || (startHigh === high && wordAt(words, at) > low)) break;
      const endLow = wordAt(words, at + 2);
      const endHigh = wordAt(words, at + 3);
      if (endHigh < high || (endHigh === high && endLow <= low)) continue;
      extendedAt = at + 2;
      low = endLow;
      high = endHigh;
    }
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
