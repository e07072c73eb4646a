import type { BinLevel } from './binning-scheme.js';
import type { LowerBound, LowerBoundQuery } from './lower-bound.js';
import { isLess, isUnknownOffset, lesserAt, NOWHERE, wordAt } from './words.js';

/** Words from the loffset of a bin to its chunks. */
const LOFFSET_WORDS = 3;

/**
 * The lower bound of CSI. The loffset of a bin is the first record that overlaps it, or its first window (CSIv1), so
 * that of the last bin that begins at or before the region is a lower bound, on whichever level it is. The bins of each
 * level are tried from the last one backwards. One is not enough where it is 0, or where the caveat of the linear index
 * applies: see there.
 */
export function loffsetLowerBound(levels: readonly BinLevel[]): LowerBound {
  return (words, query) => {
    const candidates = new Candidates(levels, query);
    let boundAt = NOWHERE;
    for (let rank = candidates.next(); rank !== undefined; rank = candidates.next()) {
      const at = query.bins.headerEndAt(rank) - LOFFSET_WORDS;
      if (isUnknownOffset(words, at)) continue;
      if (!query.mayHaveUnmapped) return at;
      if (boundAt === NOWHERE) {
        if (isLeafOf(query, levels, rank)) {
          return lesserAt(words, at, query.bins.earliestAt(rank));
        }
        boundAt = at;
      } else if (isLess(words, at, boundAt)) return at;
    }
    return NOWHERE;
  };
}

/** Whether a bin is the smallest one that holds the start of the region. */
function isLeafOf({ bins, baseStart }: LowerBoundQuery, levels: readonly BinLevel[], rank: number): boolean {
  const leaves = levels.at(-1);
  return leaves !== undefined && bins.numbers[rank] === leaves.first + Math.floor(baseStart / leaves.span);
}

/** The bins of all levels that begin at or before a base, by descending start; smaller ones before larger ones. */
class Candidates {
  readonly #levels: readonly BinLevel[];
  readonly #query: LowerBoundQuery;
  /** By level, the rank behind the next candidate. */
  readonly #ranks: number[];

  constructor(levels: readonly BinLevel[], query: LowerBoundQuery) {
    this.#levels = levels;
    this.#query = query;
    const { numbers } = query.bins;
    this.#ranks = levels.map(({ first, span }, level) => {
      const from = query.fromRanks[level] ?? 0;
      return numbers[from] === first + Math.floor(query.baseStart / span) ? from + 1 : from;
    });
  }

  /** The rank of the next bin; undefined if there is none. */
  next(): number | undefined {
    const { numbers, levelRanks } = this.#query.bins;
    let latestLevel = -1;
    let latestStart = -1;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const rank = (this.#ranks[level] ?? 0) - 1;
      const { first, span } = this.#levels[level] ?? { first: 0, span: 0 };
      if (rank < wordAt(levelRanks, level)) continue;
      const start = (wordAt(numbers, rank) - first) * span;
      if (start > latestStart) [latestLevel, latestStart] = [level, start];
    }
    if (latestLevel === -1) return undefined;
    const rank = (this.#ranks[latestLevel] ?? 0) - 1;
    this.#ranks[latestLevel] = rank;
    return rank;
  }
}
