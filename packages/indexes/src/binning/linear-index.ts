import { findRank } from './bin-order.js';
import { UCSC_SCHEME } from './binning-scheme.js';
import type { LowerBoundQuery } from './lower-bound.js';
import { earliestChunk, type ReferenceBins } from './reference-bins.js';
import { comparePairs, isZeroPair, NOWHERE } from './words.js';

const WINDOW_WORDS = 2;
/** Bases of a window: as many as of a bin of the deepest level, a leaf. */
const WINDOW_SPAN = 2 ** 14;
const FIRST_LEAF = UCSC_SCHEME.binLimit - UCSC_SCHEME.span / WINDOW_SPAN;

/**
 * The lower bound of BAI and TBI. The linear index has, for each window, the first record that overlaps it (SAMv1
 * §5.1.3), but not reliably: a window without records may hold 0, the offset of the window before or of the window
 * after, and HTSlib before 1.15 left out unmapped reads that are placed. Such a read counts as one base, so it is in the
 * leaf bin of its window if that exists. If not, an entry smaller than the window's belongs to a record that starts in
 * an earlier window, and so precedes all records in question.
 */
export function linearLowerBound(words: Uint32Array, query: LowerBoundQuery): number {
  const { windowsAt, windowCount } = query;
  const window = Math.floor(query.baseStart / WINDOW_SPAN);
  const at = windowsAt + WINDOW_WORDS * window;
  const isKnown = window < windowCount && !isZeroPair(words, at);
  if (isKnown) {
    if (!query.mayHaveUnmapped) return at;
    const leafAt = earliestLeafChunk(words, query.bins, window);
    if (leafAt !== NOWHERE) return comparePairs(words, leafAt, at) < 0 ? leafAt : at;
  }
  for (let earlier = Math.min(window, windowCount) - 1; earlier >= 0; earlier--) {
    const earlierAt = windowsAt + WINDOW_WORDS * earlier;
    if (isZeroPair(words, earlierAt)) continue;
    if (!isKnown || comparePairs(words, earlierAt, at) < 0) return earlierAt;
  }
  return NOWHERE;
}

/** Where the earliest chunk of a leaf bin stands; NOWHERE if there is no such bin. */
function earliestLeafChunk(words: Uint32Array, bins: ReferenceBins, leaf: number): number {
  const number = FIRST_LEAF + leaf;
  const { numbers, levelRanks } = bins;
  const rank = findRank(numbers, number, levelRanks.at(-2) ?? 0, numbers.length);
  return numbers[rank] === number ? earliestChunk(words, bins, rank) : NOWHERE;
}
