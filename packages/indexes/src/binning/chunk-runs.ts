import { MAX_LEVELS } from './binning-scheme.js';
import { chunksEnd } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';
import { type BinnedRegion, type Chunk, toChunk } from './region-chunks.js';
import { entryAt, isLess, lesserAt, NOWHERE, wordAt } from './words.js';

// The run of each level: the chunks of its bins that overlap a region (SAMv1 §5.3, reg2bins), one after another. All queries share
// these arrays, since they do not interleave: with an object per run, a region of 10 kb takes 1.2 times as long.

/** The position of the next chunk, or NOWHERE after the last. */
const nextAt = new Int32Array(MAX_LEVELS);
/** The slot of the bin of the next chunk, or of one without chunks before it. */
const slots = new Int32Array(MAX_LEVELS);
/** The position just after the chunks of that bin. */
const binEnds = new Int32Array(MAX_LEVELS);
/** The position of the first chunk after the run, or NOWHERE. */
const stopsAt = new Int32Array(MAX_LEVELS);

/**
 * Returns the chunks that contain every record of a region: sorted, disjoint, and none empty. Before the virtual offset at
 * `lowerAt`, no record overlaps the region.
 */
export function regionChunks(region: BinnedRegion, lowerAt: number): Chunk[] {
  return joinRuns(region, { lowerAt, upperAt: startRuns(region, lowerAt) });
}

/**
 * Starts each run with its first chunk that ends after the lower bound. Returns the position of the upper bound: a record in a bin
 * that begins at or after the end of the region also starts there, as do all records after it. So the earliest chunk of the first
 * such bin of any level is an upper bound. A measured loop: skipping bins in a function of its own takes a sixth longer.
 */
function startRuns({ words, levels, bins, baseStart, baseEnd }: BinnedRegion, lowerAt: number): number {
  const leafSpan = levels.at(-1)?.span ?? 1;
  const canSkip = lowerAt !== NOWHERE && bins.isSorted;
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
    stopsAt[level] = stopAt;
    nextAt[level] = NOWHERE;
    for (let slot = bins.slotOf(level, first); bins.earliestAt(slot) !== stopAt; slot++) {
      let at = bins.earliestAt(slot);
      const binEnd = chunksEnd(words, at);
      // Usually there is nothing to skip, but the bins of the upper levels have many chunks.
      if (canSkip && !isLess(words, lowerAt, at + 2)) {
        if (!isLess(words, lowerAt, binEnd - 2)) continue;
        at = firstEndingAfter(words, at, { binEnd, lowerAt });
      }
      nextAt[level] = at;
      slots[level] = slot;
      binEnds[level] = binEnd;
      break;
    }
    first >>= 3;
    end = (end + 7) >> 3;
  }
  return upperAt;
}

/** Returns the position of the first chunk of a bin from `at` on that ends after the lower bound, as the last one does. */
function firstEndingAfter(
  words: Uint32Array,
  at: number,
  { binEnd, lowerAt }: { readonly binEnd: number; readonly lowerAt: number },
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

/** The positions of the virtual offsets before and after which no record overlaps the region, or NOWHERE. */
interface Bounds {
  readonly lowerAt: number;
  readonly upperAt: number;
}

/** Joins chunks of all runs that overlap or touch, and clips them to the bounds. */
function joinRuns(region: BinnedRegion, { lowerAt, upperAt }: Bounds): Chunk[] {
  const { words, levels } = region;
  const chunks: Chunk[] = [];
  for (;;) {
    const startAt = firstAt(words, levels.length);
    if (startAt === NOWHERE || (upperAt !== NOWHERE && !isLess(words, startAt, upperAt))) return chunks;
    const endAt = takeJoined(region, startAt, upperAt);
    const isLast = upperAt !== NOWHERE && !isLess(words, endAt, upperAt);
    const from = lowerAt !== NOWHERE && isLess(words, startAt, lowerAt) ? lowerAt : startAt;
    const to = isLast ? upperAt : endAt;
    if (isLess(words, from, to)) chunks.push(toChunk(words, from, to));
    if (isLast) return chunks;
  }
}

/** Returns the position of the remaining chunk that starts first, or NOWHERE if none remains. */
function firstAt(words: Uint32Array, levelCount: number): number {
  let first = NOWHERE;
  for (let level = 0; level < levelCount; level++) {
    const at = entryAt(nextAt, level);
    if (at !== NOWHERE && (first === NOWHERE || isLess(words, at, first))) first = at;
  }
  return first;
}

/**
 * Takes the chunks that start at the virtual offset at `startAt`, and those that they reach. Returns the position of the latest
 * end, or of one at or after the upper bound: no chunk starts between that and the bound.
 */
function takeJoined(region: BinnedRegion, startAt: number, upperAt: number): number {
  const { words, levels } = region;
  const leafLevel = levels.length - 1;
  let endAt = startAt;
  let low = wordAt(words, startAt);
  let high = wordAt(words, startAt + 1);
  for (let level = leafLevel; level >= 0; ) {
    const previousAt = endAt;
    for (let at = entryAt(nextAt, level); at !== NOWHERE; at = takeNext(region, level)) {
      const startHigh = wordAt(words, at + 1);
      if (startHigh > high || (startHigh === high && wordAt(words, at) > low)) break;
      const endLow = wordAt(words, at + 2);
      const endHigh = wordAt(words, at + 3);
      if (endHigh < high || (endHigh === high && endLow <= low)) continue;
      endAt = at + 2;
      low = endLow;
      high = endHigh;
    }
    if (endAt === previousAt) level--;
    else if (upperAt !== NOWHERE && !isLess(words, endAt, upperAt)) return endAt;
    // The chunks of small bins are separated by those of the larger bins that hold the records in between.
    else level = level === leafLevel ? level - 1 : leafLevel;
  }
  return endAt;
}

/** Takes the next chunk of a run, and returns the position of the one after it, or NOWHERE. */
function takeNext({ words, bins }: BinnedRegion, level: number): number {
  let at = entryAt(nextAt, level) + CHUNK_WORDS;
  if (at === binEnds[level]) {
    const { chunksAt } = bins;
    let slot = entryAt(slots, level);
    const binAt = chunksAt[slot];
    do slot++;
    while (chunksAt[slot] === binAt);
    at = entryAt(chunksAt, slot);
    if (at === stopsAt[level]) at = NOWHERE;
    else binEnds[level] = chunksEnd(words, at);
    slots[level] = slot;
  }
  nextAt[level] = at;
  return at;
}
