import { type BinPairs, findRank, sortPairs } from './bin-order.js';
import { type BinningFormat, CHUNK_WORDS } from './reference-table.js';
import { type IndexWords, invalidAt, isLess, wordAt } from './words.js';

/** The bins of one reference as they are written. */
export interface BinList {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly binsAt: number;
  readonly binCount: number;
}

/** The position behind the chunks that begin at `chunksAt`. */
export function chunksEnd(words: Uint32Array, chunksAt: number): number {
  return chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
}

/**
 * The bins of a reference that hold chunks, by ascending number, and their chunks. A rank counts either. Nothing of the
 * index is copied but where its chunks stand, so that a query passes over them without a step per bin.
 */
export class ReferenceBins {
  readonly numbers: Uint32Array;
  /** The rank of the first chunk of each bin; behind them, how many chunks there are. */
  readonly firstChunks: Uint32Array;
  /** Where the chunks stand, bin by bin, and within a bin and a level by where they start in the file. */
  readonly chunksAt: Uint32Array;
  /** The ranks of bins at which the levels of the scheme begin, and at which the last one ends. */
  readonly levelRanks: Uint32Array;
  /** Whether the chunks of each bin were written in that order and, on each level, end in ascending order, too. */
  readonly isSorted: boolean;
  readonly #words: Uint32Array;

  /**
   * Sorts the bins, which writers leave in hash order. Throws `IndexError` INVALID_DATA for a bin that comes twice, a
   * chunk that ends before it starts, and bins whose chunks cannot be those of a sorted file.
   */
  constructor(list: BinList) {
    const { levels, binLimit } = list.format.scheme;
    const { bins, chunkCount } = listBins(list);
    const { keys: numbers, values: firstAt } = sortPairs(bins, binLimit);
    const binCount = numbers.length;
    this.numbers = numbers;
    this.firstChunks = new Uint32Array(binCount + 1);
    this.chunksAt = new Uint32Array(chunkCount);
    this.levelRanks = Uint32Array.of(0, ...levels.map(({ end }) => findRank(numbers, end, 0, binCount)));
    this.#words = list.data.words;
    this.isSorted = this.#placeChunks(list.data, firstAt);
  }

  /** Where the chunk of a bin stands that starts first in the file. */
  earliestAt(rank: number): number {
    return wordAt(this.chunksAt, wordAt(this.firstChunks, rank));
  }

  /** Where the chunk of a bin stands that is written first: behind the header of the bin. */
  headerEndAt(rank: number): number {
    const earliestAt = this.earliestAt(rank);
    if (this.isSorted) return earliestAt;
    return this.chunksAt
      .subarray(wordAt(this.firstChunks, rank), wordAt(this.firstChunks, rank + 1))
      .reduce((first, at) => Math.min(first, at), earliestAt);
  }

  /** Where the end stands of the chunk of a bin that ends last in the file. */
  latestEndAt(rank: number): number {
    const end = wordAt(this.firstChunks, rank + 1);
    let latestAt = wordAt(this.chunksAt, end - 1) + 2;
    if (this.isSorted) return latestAt;
    for (let chunk = wordAt(this.firstChunks, rank); chunk < end; chunk++) {
      const at = wordAt(this.chunksAt, chunk) + 2;
      if (isLess(this.#words, latestAt, at)) latestAt = at;
    }
    return latestAt;
  }

  /** Notes where each chunk stands, in one pass over them; returns `isSorted`. */
  #placeChunks(data: IndexWords, firstAt: Uint32Array): boolean {
    let isSorted = true;
    let level = 0;
    let chunk = 0;
    for (let rank = 0; rank < firstAt.length; rank++) {
      const at = wordAt(firstAt, rank);
      const number = wordAt(this.numbers, rank);
      if (rank > 0 && number === wordAt(this.numbers, rank - 1)) {
        throw invalidAt(data, at, `a reference has bin ${number} twice`);
      }
      const isFirstOfLevel = rank === wordAt(this.levelRanks, level);
      while (rank === wordAt(this.levelRanks, level)) level++;
      this.firstChunks[rank] = chunk;
      const end = chunksEnd(data.words, at);
      isSorted = placeBin(data, { at, end }, this.chunksAt, chunk) && isSorted;
      if (!isFirstOfLevel) isSorted = this.#checkOrder(data, chunk) && isSorted;
      chunk += (end - at) / CHUNK_WORDS;
    }
    this.firstChunks[firstAt.length] = chunk;
    return isSorted;
  }

  /** Whether the first chunk of a bin ends behind the last one of the bin before. Throws if it starts in front of it. */
  #checkOrder(data: IndexWords, chunk: number): boolean {
    const { words } = data;
    const at = wordAt(this.chunksAt, chunk);
    const previousAt = wordAt(this.chunksAt, chunk - 1);
    if (isLess(words, at, previousAt))
      throw invalidAt(data, at, 'the chunks of a bin start before those of an earlier one');
    return !isLess(words, at + 2, previousAt + 2);
  }
}

/**
 * Notes from `rank` on where the chunks of a bin stand, by where they start; returns whether they were written so, and end
 * so, too.
 */
function placeBin(
  data: IndexWords,
  bin: { readonly at: number; readonly end: number },
  chunksAt: Uint32Array,
  rank: number,
): boolean {
  const { words } = data;
  let isSorted = true;
  let startsSorted = true;
  let previousAt = bin.at;
  let count = rank;
  for (let at = bin.at; at < bin.end; at += CHUNK_WORDS) {
    if (isLess(words, at + 2, at)) throw invalidAt(data, at, 'a chunk ends before it starts');
    if (isLess(words, at, previousAt)) startsSorted = false;
    if (isLess(words, at + 2, previousAt + 2)) isSorted = false;
    chunksAt[count++] = at;
    previousAt = at;
  }
  if (startsSorted) return isSorted;
  chunksAt.subarray(rank, count).sort((a, b) => (isLess(words, a, b) ? -1 : Number(isLess(words, b, a))));
  return false;
}

/** The bins with chunks as they come: their numbers, and where the first chunk of each stands; and all their chunks. */
export function listBins({ data, format, binsAt, binCount }: BinList): { bins: BinPairs; chunkCount: number } {
  const { words } = data;
  const { binLimit } = format.scheme;
  const keys = new Uint32Array(binCount);
  const values = new Uint32Array(binCount);
  let count = 0;
  let chunkCount = 0;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    const number = wordAt(words, at);
    const chunksAt = at + format.binHeaderWords;
    at = chunksEnd(words, chunksAt);
    if (number >= binLimit || at === chunksAt) continue;
    keys[count] = number;
    values[count++] = chunksAt;
    chunkCount += (at - chunksAt) / CHUNK_WORDS;
  }
  return { bins: { keys: keys.subarray(0, count), values: values.subarray(0, count) }, chunkCount };
}
