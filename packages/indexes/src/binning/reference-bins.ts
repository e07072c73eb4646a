import { findRank, sortPairs } from './bin-order.js';
import { type BinningFormat, CHUNK_WORDS } from './reference-table.js';
import { type IndexWords, invalidAt, isLess, lesserAt, NOWHERE, wordAt } from './words.js';

/** The bins of one reference as they are written. */
export interface BinList {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly binsAt: number;
  readonly binCount: number;
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

/** The bins of a reference that hold chunks, by ascending number. A rank counts them. */
export class ReferenceBins {
  readonly numbers: Uint32Array;
  /** Where the chunks of each bin stand; the word in front of them is their count. */
  readonly chunksAt: Uint32Array;
  /** The ranks at which the levels of the scheme begin, and at which the last one ends. */
  readonly levelRanks: Uint32Array;
  readonly #data: IndexWords;
  /** Where the earliest chunk of each bin stands that has been looked at; otherwise NOWHERE. */
  readonly #earliestAt: Uint32Array;
  #isSorted = true;

  /**
   * Sorts the bins, which writers leave in hash order. Throws `IndexError` INVALID_DATA for a bin that comes twice.
   */
  constructor(list: BinList) {
    const { words } = list.data;
    const unsorted = { keys: new Uint32Array(list.binCount), values: new Uint32Array(list.binCount) };
    let count = 0;
    visitBins(list, (number, chunksAt) => {
      if (wordAt(words, chunksAt - 1) === 0) return;
      unsorted.keys[count] = number;
      unsorted.values[count] = chunksAt;
      count++;
    });
    const { levels, binLimit } = list.format.scheme;
    const { keys, values } = sortPairs(unsorted, count, binLimit);
    const twice = keys.findIndex((number, rank) => rank > 0 && keys[rank - 1] === number);
    if (twice !== -1) throw invalidAt(list.data, wordAt(values, twice), `a reference has bin ${keys[twice]} twice`);
    this.numbers = keys;
    this.chunksAt = values;
    this.levelRanks = Uint32Array.of(0, ...levels.map(({ end }) => findRank(keys, end, 0, count)));
    this.#data = list.data;
    this.#earliestAt = new Uint32Array(count);
  }

  /** Whether the chunks of each bin that has been looked at start, and end, in ascending order. */
  get isSorted(): boolean {
    return this.#isSorted;
  }

  /**
   * Looks at the chunks of a bin, and says where the one stands that starts first in the file. Throws `IndexError`
   * INVALID_DATA for a chunk that ends before it starts.
   */
  earliestAt(rank: number): number {
    const known = wordAt(this.#earliestAt, rank);
    if (known !== NOWHERE) return known;
    const { words } = this.#data;
    const firstAt = wordAt(this.chunksAt, rank);
    const end = chunksEnd(words, firstAt);
    let earliestAt = firstAt;
    for (let at = firstAt; at < end; at += CHUNK_WORDS) {
      if (isLess(words, at + 2, at)) throw invalidAt(this.#data, at, 'a chunk ends before it starts');
      earliestAt = lesserAt(words, earliestAt, at);
      const previousAt = at === firstAt ? at : at - CHUNK_WORDS;
      if (isLess(words, at, previousAt) || isLess(words, at + 2, previousAt + 2)) this.#isSorted = false;
    }
    this.#earliestAt[rank] = earliestAt;
    return earliestAt;
  }

  /** Where the end stands of the chunk of a bin that ends last in the file. Throws as `earliestAt`. */
  latestEndAt(rank: number): number {
    this.earliestAt(rank);
    const { words } = this.#data;
    const firstAt = wordAt(this.chunksAt, rank);
    const end = chunksEnd(words, firstAt);
    let latestAt = firstAt + 2;
    for (let at = firstAt; at < end; at += CHUNK_WORDS) if (isLess(words, latestAt, at + 2)) latestAt = at + 2;
    return latestAt;
  }
}
