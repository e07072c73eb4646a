import { findRank } from './bin-order.js';
import type { BinLevel } from './binning-scheme.js';
import type { ReferenceBins } from './reference-bins.js';
import { wordAt } from './words.js';

/** The bins of a reference that overlap a region (SAMv1 §5.3, reg2bins): on each level, ranks that follow one another. */
export interface OverlappingBins {
  /** By level, the rank of the first such bin, or that of the next bin if there is none. */
  readonly fromRanks: readonly number[];
  /** By level, the rank behind the last one. */
  readonly toRanks: readonly number[];
}

/** The region is not empty, and within what the scheme covers. */
export function findOverlappingBins(
  { numbers, levelRanks }: ReferenceBins,
  levels: readonly BinLevel[],
  baseStart: number,
  baseEnd: number,
): OverlappingBins {
  const fromRanks = new Array<number>(levels.length);
  const toRanks = new Array<number>(levels.length);
  for (let level = 0; level < levels.length; level++) {
    const { first, span } = levels[level] ?? { first: 0, span: 1 };
    const levelEnd = wordAt(levelRanks, level + 1);
    const from = findRank(numbers, first + Math.floor(baseStart / span), wordAt(levelRanks, level), levelEnd);
    fromRanks[level] = from;
    toRanks[level] = findRank(numbers, first + Math.ceil(baseEnd / span), from, levelEnd);
  }
  return { fromRanks, toRanks };
}
