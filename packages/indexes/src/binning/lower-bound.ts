import { type BinLevel, UCSC_SCHEME } from './binning-scheme.js';
import type { ReferenceBins } from './reference-bins.js';
import { isLess, isUnknownOffset, lesserAt, NOWHERE, wordAt } from './words.js';

/** The parts of an index in which the lower bound of a region is found. */
export interface LowerBoundQuery {
  readonly bins: ReferenceBins;
  /** By level, the index of the first bin that overlaps the region, as in `OverlappingBins`. */
  readonly firstBins: readonly number[];
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
const FIRST_LEAF = UCSC_SCHEME.binLimit - UCSC_SCHEME.span / WINDOW_SPAN;

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
function earliestLeafChunk({ bins, firstBins }: LowerBoundQuery, window: number): number {
  const bin = firstBins[UCSC_SCHEME.levels.length - 1] ?? 0;
  return bins.numbers[bin] === FIRST_LEAF + window ? bins.earliestAt(bin) : NOWHERE;
}

/** Words from the loffset of a bin to its chunks. */
const LOFFSET_WORDS = 3;

/**
 * The lower bound of CSI. The loffset of a bin is the offset of the first record that overlaps the bin, or its first window
 * (CSIv1). So the loffset of the last bin that begins at or before the region is a lower bound, whatever its level. A second
 * bin is needed if the loffset is 0, or if placed unmapped reads may have been omitted (see `linearLowerBound`).
 */
export function loffsetLowerBound(levels: readonly BinLevel[]): LowerBound {
  return (words, query) => {
    const candidates = new PrecedingBins(levels, query);
    let boundAt = NOWHERE;
    for (let bin = candidates.next(); bin !== undefined; bin = candidates.next()) {
      const at = query.bins.headerEndAt(bin) - LOFFSET_WORDS;
      if (isUnknownOffset(words, at)) continue;
      if (!query.mayHaveUnmapped) return at;
      if (boundAt === NOWHERE) {
        if (isLeafOfStart(query, levels, bin)) return lesserAt(words, at, query.bins.earliestAt(bin));
        boundAt = at;
      } else if (isLess(words, at, boundAt)) return at;
    }
    return NOWHERE;
  };
}

/** Whether a bin is the leaf that contains the start of the region. */
function isLeafOfStart({ bins, baseStart }: LowerBoundQuery, levels: readonly BinLevel[], bin: number): boolean {
  const leaves = levels.at(-1);
  return leaves !== undefined && bins.numbers[bin] === leaves.first + Math.floor(baseStart / leaves.span);
}

/** Iterates over the bins of all levels that begin at or before a base, by descending start, small bins before large ones. */
class PrecedingBins {
  readonly #levels: readonly BinLevel[];
  readonly #query: LowerBoundQuery;
  /** By level, the index just after the next candidate. */
  readonly #ends: number[];

  constructor(levels: readonly BinLevel[], query: LowerBoundQuery) {
    this.#levels = levels;
    this.#query = query;
    const { numbers } = query.bins;
    this.#ends = levels.map(({ first, span }, level) => {
      const bin = query.firstBins[level] ?? 0;
      return numbers[bin] === first + Math.floor(query.baseStart / span) ? bin + 1 : bin;
    });
  }

  /** Returns the index of the next bin, or undefined after the last. */
  next(): number | undefined {
    const { numbers, levelStarts } = this.#query.bins;
    let latestLevel = -1;
    let latestStart = -1;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const bin = (this.#ends[level] ?? 0) - 1;
      const { first, span } = this.#levels[level] ?? { first: 0, span: 0 };
      if (bin < wordAt(levelStarts, level)) continue;
      const start = (wordAt(numbers, bin) - first) * span;
      if (start > latestStart) [latestLevel, latestStart] = [level, start];
    }
    if (latestLevel === -1) return undefined;
    const bin = (this.#ends[latestLevel] ?? 0) - 1;
    this.#ends[latestLevel] = bin;
    return bin;
  }
}
