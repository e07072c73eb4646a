import { virtualOffsetFromU64 } from '@htskit/bgzf';
import type { Chunk } from '../chunk.js';
import { findRank } from './bin-order.js';
import type { BinLevel } from './binning-scheme.js';
import type { ReferenceBins } from './reference-bins.js';
import { isLess, lesserAt, NOWHERE, wordAt } from './words.js';

export interface RegionInteriorInput {
  readonly words: Uint32Array;
  readonly levels: readonly BinLevel[];
  readonly bins: ReferenceBins;
  /** Not empty, and within what the scheme covers. */
  readonly baseStart: number;
  readonly baseEnd: number;
}

/**
 * A part of the file in which every record starts within the region. What follows the first record of a bin that begins
 * at or after the start of the region starts there or later, in a sorted file; what precedes the end of the last record
 * of a bin that ends at or before the end of the region starts before that. On each level, one bin is asked for either.
 */
export function regionInterior({ words, levels, bins, baseStart, baseEnd }: RegionInteriorInput): Chunk | undefined {
  const { numbers, levelRanks } = bins;
  let startAt = NOWHERE;
  let endAt = NOWHERE;
  for (let level = 0; level < levels.length; level++) {
    const { first, span } = levels[level] ?? { first: 0, span: 1 };
    const from = wordAt(levelRanks, level);
    const to = wordAt(levelRanks, level + 1);
    const next = findRank(numbers, first + Math.ceil(baseStart / span), from, to);
    if (next < to)
      startAt = startAt === NOWHERE ? bins.earliestAt(next) : lesserAt(words, startAt, bins.earliestAt(next));
    const last = findRank(numbers, first + Math.floor(baseEnd / span), from, to) - 1;
    if (last < from) continue;
    const at = bins.latestEndAt(last);
    if (endAt === NOWHERE || isLess(words, endAt, at)) endAt = at;
  }
  if (startAt === NOWHERE || endAt === NOWHERE || !isLess(words, startAt, endAt)) return undefined;
  return {
    start: virtualOffsetFromU64(wordAt(words, startAt), wordAt(words, startAt + 1)),
    end: virtualOffsetFromU64(wordAt(words, endAt), wordAt(words, endAt + 1)),
  };
}
