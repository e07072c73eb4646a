import { findRank, sortPairs } from './bin-order.js';
import { type BinningFormat, CHUNK_WORDS } from './reference-table.js';
import { comparePairs, type IndexWords, invalidAt, wordAt } from './words.js';

/** The bins of one reference as they are written. */
export interface BinList {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly binsAt: number;
  readonly binCount: number;
}

/** The bins of a reference that hold chunks, by ascending number. A rank counts them. */
export interface ReferenceBins {
  readonly numbers: Uint32Array;
  /** Where the chunks of each bin stand; the word in front of them is their count. */
  readonly chunksAt: Uint32Array;
  /** The ranks at which the levels of the scheme begin, and at which the last one ends. */
  readonly levelRanks: Uint32Array;
}

/** Visits the bins in the order in which they are written, without the pseudo-bin. */
export function visitBins({ data, format, ...list }: BinList, visit: (number: number, chunksAt: number) => void): void {
  const { words } = data;
  const { binLimit } = format.scheme;
  let at = list.binsAt;
  for (let bin = 0; bin < list.binCount; bin++) {
    const number = wordAt(words, at);
    const chunksAt = at + format.binHeaderWords;
    if (number < binLimit) visit(number, chunksAt);
    at = chunksEnd(words, chunksAt);
  }
}

/** The position behind the chunks that begin at `chunksAt`. */
export function chunksEnd(words: Uint32Array, chunksAt: number): number {
  return chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
}

/**
 * Sorts the bins of a reference, which writers leave in hash order. Throws `IndexError` INVALID_DATA for a bin that comes
 * twice.
 */
export function readReferenceBins(list: BinList): ReferenceBins {
  const { levels, binLimit } = list.format.scheme;
  const { words } = list.data;
  const unsorted = { keys: new Uint32Array(list.binCount), values: new Uint32Array(list.binCount) };
  let count = 0;
  visitBins(list, (number, chunksAt) => {
    if (chunksEnd(words, chunksAt) === chunksAt) return;
    unsorted.keys[count] = number;
    unsorted.values[count] = chunksAt;
    count++;
  });
  const { keys: numbers, values: chunksAt } = sortPairs(
    { keys: unsorted.keys.subarray(0, count), values: unsorted.values.subarray(0, count) },
    binLimit,
  );
  for (let rank = 1; rank < count; rank++) {
    const number = wordAt(numbers, rank);
    if (number === wordAt(numbers, rank - 1)) {
      throw invalidAt(list.data, wordAt(chunksAt, rank), `a reference has bin ${number} twice`);
    }
  }
  const levelRanks = Uint32Array.of(0, ...levels.map(({ end }) => findRank(numbers, end, 0, count)));
  return { numbers, chunksAt, levelRanks };
}

/** Where the chunk of a bin stands that starts first in the file. */
export function earliestChunk(words: Uint32Array, { chunksAt }: ReferenceBins, rank: number): number {
  const firstAt = wordAt(chunksAt, rank);
  const end = chunksEnd(words, firstAt);
  let earliestAt = firstAt;
  for (let at = firstAt + CHUNK_WORDS; at < end; at += CHUNK_WORDS) {
    if (comparePairs(words, at, earliestAt) < 0) earliestAt = at;
  }
  return earliestAt;
}
