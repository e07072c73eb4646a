import { type BinLevel, UCSC_SCHEME } from './binning-scheme.js';
import type { ReferenceBins } from './reference-bins.js';
import { isLess, isUnknownOffset, lesserAt, NOWHERE } from './words.js';

/** The parts of an index in which the lower bound of a region is found. */
export interface LowerBoundQuery {
  readonly bins: ReferenceBins;
  readonly baseStart: number;
  /** The position of the linear index and the number of its windows. 0 in a CSI. */
  readonly windowsAt: number;
  readonly windowCount: number;
  /**
   * Whether the reference may have placed unmapped records, which HTSlib before 1.15 omitted from the linear index and
   * loffsets.
   */
  readonly mayHaveUnmapped: boolean;
}

/**
 * Returns the position, in the words of the index, of a virtual offset before which no record begins that ends after
 * `baseStart`, or NOWHERE if the index does not contain one. The formats store it differently.
 */
export type LowerBound = (words: Uint32Array, query: LowerBoundQuery) => number;

const WINDOW_WORDS = 2;
/** Bases of a window, which equals a bin of the deepest level, a leaf. */
const WINDOW_SPAN = 2 ** 14;
const LEAF_LEVEL = UCSC_SCHEME.levels.length - 1;

/**
 * The lower bound of BAI and TBI. The linear index stores for each window the first record that overlaps it (SAMv1 §5.1.3).
 * It is not reliable: a window without records may hold 0, all ones, or the offset of the window before or after it, and
 * HTSlib before 1.15 omitted placed unmapped reads. Such a read counts as one base, so it is in the leaf bin of its window,
 * if that bin exists. If it does not, a smaller entry of an earlier window belongs to a record that starts in that window and
 * so precedes all records in question.
 */
export function linearLowerBound(words: Uint32Array, query: LowerBoundQuery): number {
  const { windowsAt, windowCount } = query;
  const window = Math.floor(query.baseStart / WINDOW_SPAN);
  const at = windowsAt + WINDOW_WORDS * window;
  const isKnown = window < windowCount && !isUnknownOffset(words, at);
  if (isKnown) {
    if (!query.mayHaveUnmapped) return at;
    const leafAt = earliestLeafChunk(query, window);
    if (leafAt !== NOWHERE) return lesserAt(words, at, leafAt);
  }
  for (let earlier = Math.min(window, windowCount) - 1; earlier >= 0; earlier--) {
    const earlierAt = windowsAt + WINDOW_WORDS * earlier;
    if (isUnknownOffset(words, earlierAt)) continue;
    if (!isKnown || isLess(words, earlierAt, at)) return earlierAt;
  }
  return NOWHERE;
}

/** Returns the position of the earliest chunk in the leaf bin of a window, or NOWHERE if the bin does not exist. */
function earliestLeafChunk({ bins }: LowerBoundQuery, window: number): number {
  const slot = bins.slotOf(LEAF_LEVEL, window);
  return bins.hasBin(slot, window) ? bins.earliestAt(slot) : NOWHERE;
}

/** Words from the loffset of a bin to its chunks. */
const LOFFSET_WORDS = 3;

/**
 * The lower bound of CSI. The loffset of a bin is the offset of the first record that overlaps the bin, or its first window
 * (CSIv1). So the loffset of the last bin that begins at or before the region is a lower bound, whatever its level. A second
 * bin is needed if the loffset is 0, or if placed unmapped reads may have been omitted (see `linearLowerBound`).
 */
export function loffsetLowerBound(levels: readonly BinLevel[]): LowerBound {
  const leafLevel = levels.length - 1;
  const leafSpan = levels[leafLevel]?.span ?? 1;
  return (words, query) => {
    const { bins, baseStart, mayHaveUnmapped } = query;
    const leaf = Math.floor(baseStart / leafSpan);
    const slot = bins.slotOf(leafLevel, leaf);
    if (bins.hasBin(slot, leaf)) {
      const chunksAt = bins.earliestAt(slot);
      const at = chunksAt - LOFFSET_WORDS;
      if (!isUnknownOffset(words, at)) return mayHaveUnmapped ? lesserAt(words, at, chunksAt) : at;
    }
    return precedingLowerBound(words, levels, query);
  };
}

/** The lower bound of CSI if the loffset of the leaf in which the region starts is not known. */
function precedingLowerBound(words: Uint32Array, levels: readonly BinLevel[], query: LowerBoundQuery): number {
  const { bins, baseStart, mayHaveUnmapped } = query;
  const candidates = new PrecedingBins(levels, bins, baseStart);
  let boundAt = NOWHERE;
  for (let slot = candidates.next(); slot !== undefined; slot = candidates.next()) {
    const at = bins.earliestAt(slot) - LOFFSET_WORDS;
    if (isUnknownOffset(words, at)) continue;
    if (!mayHaveUnmapped) return at;
    if (boundAt === NOWHERE) boundAt = at;
    else if (isLess(words, at, boundAt)) return at;
  }
  return NOWHERE;
}

/** Iterates over the bins of all levels that begin at or before a base, by descending start, small bins before large ones. */
class PrecedingBins {
  readonly #levels: readonly BinLevel[];
  readonly #bins: ReferenceBins;
  /** By level, the slot of the next candidate, if there is one. */
  readonly #slots: (number | undefined)[];

  constructor(levels: readonly BinLevel[], bins: ReferenceBins, baseStart: number) {
    this.#levels = levels;
    this.#bins = bins;
    this.#slots = levels.map(({ span }, level) =>
      bins.previousSlot(level, bins.slotOf(level, Math.floor(baseStart / span) + 1)),
    );
  }

  /** Returns the slot of the next bin, or undefined after the last. */
  next(): number | undefined {
    let latestLevel = -1;
    let latestStart = -1;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const slot = this.#slots[level];
      if (slot === undefined) continue;
      const start = this.#bins.ordinalOf(level, slot) * (this.#levels[level]?.span ?? 0);
      if (start > latestStart) [latestLevel, latestStart] = [level, start];
    }
    const slot = this.#slots[latestLevel];
    if (slot !== undefined) this.#slots[latestLevel] = this.#bins.previousSlot(latestLevel, slot);
    return slot;
  }
}
