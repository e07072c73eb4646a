import { UCSC_SCHEME } from './binning-scheme.js';
import type { LowerBoundQuery } from './lower-bound.js';
import { isLess, isUnknownOffset, lesserAt, NOWHERE } from './words.js';

const WINDOW_WORDS = 2;
/** Bases of a window: as many as of a bin of the deepest level, a leaf. */
const WINDOW_SPAN = 2 ** 14;
const FIRST_LEAF = UCSC_SCHEME.binLimit - UCSC_SCHEME.span / WINDOW_SPAN;

/**
 * The lower bound of BAI and TBI. The linear index has, for each window, the first record that overlaps it (SAMv1
 * §5.1.3), but not reliably: a window without records may hold 0, nothing but ones, the offset of the window before or of the
 * window after, and HTSlib before 1.15 left out unmapped reads that are placed. Such a read counts as one base, so it is in the
 * leaf bin of its window if that exists. If not, an entry smaller than the window's belongs to a record that starts in
 * an earlier window, and so precedes all records in question.
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

/** Where the earliest chunk of the leaf bin over the window stands; NOWHERE if there is no such bin. */
function earliestLeafChunk({ bins, fromRanks }: LowerBoundQuery, window: number): number {
  const rank = fromRanks[UCSC_SCHEME.levels.length - 1] ?? 0;
  return bins.numbers[rank] === FIRST_LEAF + window ? bins.earliestAt(rank) : NOWHERE;
}
