import { type BinningFormat, CHUNK_WORDS } from './reference-table.js';
import { STEP_WORDS, type Steps } from './steps.js';
import { type IndexWords, invalidAt, isLess, wordAt } from './words.js';

/** The bins of one reference as the index stores them. */
export interface StoredBins {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly binsAt: number;
  readonly binCount: number;
}

/** Bin numbers, and one value for each. */
interface BinPairs {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

/** Returns the position just after the chunks that begin at `chunksAt`. */
function chunksEnd(words: Uint32Array, chunksAt: number): number {
  return chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
}

/**
 * The bins of a reference that contain chunks, in ascending order, and the positions of their chunks. Bins and chunks are
 * identified by their index in these arrays. Only positions are copied from the stored index, and a query scans them without
 * a step per bin.
 */
export class ReferenceBins {
  readonly numbers: Uint32Array;
  /** The index of each bin's first chunk, followed by the number of chunks. */
  readonly firstChunks: Uint32Array;
  /** The positions of the chunks, by bin, and within each bin by their start in the file. */
  readonly chunksAt: Uint32Array;
  /** By level, the index of its first bin, followed by the number of bins. */
  readonly levelStarts: Uint32Array;
  /** Whether the chunks of each bin are stored in that order and on each level also end in ascending order. */
  readonly isSorted: boolean;
  readonly #words: Uint32Array;

  /**
   * Sorts the bins, which writers store in hash order. Throws `IndexError` INVALID_DATA for a duplicate bin, a chunk that
   * ends before it starts, and bins whose chunks contradict a sorted file.
   */
  constructor(stored: StoredBins) {
    const { levels, binLimit } = stored.format.scheme;
    const { bins, chunkCount } = listBins(stored);
    const { keys: numbers, values: firstAt } = sortPairs(bins, binLimit);
    const binCount = numbers.length;
    this.numbers = numbers;
    this.firstChunks = new Uint32Array(binCount + 1);
    this.chunksAt = new Uint32Array(chunkCount);
    this.levelStarts = Uint32Array.of(0, ...levels.map(({ end }) => findBin(numbers, end, 0, binCount)));
    this.#words = stored.data.words;
    this.isSorted = this.#placeChunks(stored.data, firstAt);
  }

  /** Returns the position of the chunk of a bin that starts first in the file. */
  earliestAt(bin: number): number {
    return wordAt(this.chunksAt, wordAt(this.firstChunks, bin));
  }

  /** Returns the position of the first stored chunk of a bin, which follows the header of the bin. */
  headerEndAt(bin: number): number {
    const earliestAt = this.earliestAt(bin);
    if (this.isSorted) return earliestAt;
    return this.chunksAt
      .subarray(wordAt(this.firstChunks, bin), wordAt(this.firstChunks, bin + 1))
      .reduce((first, at) => Math.min(first, at), earliestAt);
  }

  /** Returns the position of the end offset that is the last in the file of all chunks of a bin. */
  latestEndAt(bin: number): number {
    const end = wordAt(this.firstChunks, bin + 1);
    let latestAt = wordAt(this.chunksAt, end - 1) + 2;
    if (this.isSorted) return latestAt;
    for (let chunk = wordAt(this.firstChunks, bin); chunk < end; chunk++) {
      const at = wordAt(this.chunksAt, chunk) + 2;
      if (isLess(this.#words, latestAt, at)) latestAt = at;
    }
    return latestAt;
  }

  /** Records the position of each chunk in one pass and returns `isSorted`. */
  #placeChunks(data: IndexWords, firstAt: Uint32Array): boolean {
    let isSorted = true;
    let level = 0;
    let chunk = 0;
    for (let bin = 0; bin < firstAt.length; bin++) {
      const at = wordAt(firstAt, bin);
      const number = wordAt(this.numbers, bin);
      if (bin > 0 && number === wordAt(this.numbers, bin - 1)) throw invalidAt(data, at, `duplicate bin ${number}`);
      const isFirstOfLevel = bin === wordAt(this.levelStarts, level);
      while (bin === wordAt(this.levelStarts, level)) level++;
      this.firstChunks[bin] = chunk;
      const end = chunksEnd(data.words, at);
      isSorted = placeBin(data, { at, end }, this.chunksAt, chunk) && isSorted;
      if (!isFirstOfLevel) isSorted = this.#checkOrder(data, chunk) && isSorted;
      chunk += (end - at) / CHUNK_WORDS;
    }
    this.firstChunks[firstAt.length] = chunk;
    return isSorted;
  }

  /** Whether the first chunk of a bin ends after the last chunk of the previous bin. Throws if it starts before it. */
  #checkOrder(data: IndexWords, chunk: number): boolean {
    const { words } = data;
    const at = wordAt(this.chunksAt, chunk);
    const previousAt = wordAt(this.chunksAt, chunk - 1);
    if (isLess(words, at, previousAt)) {
      throw invalidAt(data, at, 'the chunks of a bin start before those of the previous bin');
    }
    return !isLess(words, at + 2, previousAt + 2);
  }
}

/**
 * Writes the positions of a bin's chunks to `chunksAt` from index `first`, sorted by start. Returns whether the chunks are
 * stored in that order and also end in that order.
 */
function placeBin(
  data: IndexWords,
  bin: { readonly at: number; readonly end: number },
  chunksAt: Uint32Array,
  first: number,
): boolean {
  const { words } = data;
  let isSorted = true;
  let startsSorted = true;
  let previousAt = bin.at;
  let count = first;
  for (let at = bin.at; at < bin.end; at += CHUNK_WORDS) {
    if (isLess(words, at + 2, at)) throw invalidAt(data, at, 'a chunk ends before it starts');
    if (isLess(words, at, previousAt)) startsSorted = false;
    if (isLess(words, at + 2, previousAt + 2)) isSorted = false;
    chunksAt[count++] = at;
    previousAt = at;
  }
  if (startsSorted) return isSorted;
  chunksAt.subarray(first, count).sort((a, b) => (isLess(words, a, b) ? -1 : Number(isLess(words, b, a))));
  return false;
}

/** Visits the positions of the chunks of all bins in stored order, in steps. */
export function* visitChunks(
  { data, format, binsAt, binCount }: StoredBins,
  visit: (chunkAt: number) => void,
): Steps<void> {
  const { words } = data;
  const { binLimit } = format.scheme;
  let stepEnd = binsAt + STEP_WORDS;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    if (at >= stepEnd) {
      yield;
      stepEnd = at + STEP_WORDS;
    }
    const isPseudoBin = wordAt(words, at) >= binLimit;
    const chunksAt = at + format.binHeaderWords;
    at = chunksEnd(words, chunksAt);
    if (isPseudoBin) continue;
    for (let chunkAt = chunksAt; chunkAt < at; chunkAt += CHUNK_WORDS) {
      if (chunkAt >= stepEnd) {
        yield;
        stepEnd = chunkAt + STEP_WORDS;
      }
      visit(chunkAt);
    }
  }
}

/** Lists the bins with chunks in stored order, each with the position of its first chunk, and counts all chunks. */
function listBins({ data, format, binsAt, binCount }: StoredBins): { bins: BinPairs; chunkCount: number } {
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

/**
 * Returns the index, in [from, to), of the first bin with at least this number, or `to`. Indexes grow by at most one per
 * number and gaps are few, so the search begins at the largest possible index and doubles its steps backwards.
 */
export function findBin(numbers: Uint32Array, number: number, from: number, to: number): number {
  if (from === to || number <= wordAt(numbers, from)) return from;
  let high = Math.min(to, from + number - wordAt(numbers, from));
  let low = high;
  for (let step = 1; low > from && wordAt(numbers, low - 1) >= number; step *= 2) {
    high = low - 1;
    low = Math.max(from, low - step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (wordAt(numbers, middle) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

const DIGIT_BITS = 8;
const DIGITS = 2 ** DIGIT_BITS;

/**
 * Sorts pairs by keys below `limit` with a radix sort, which takes a tenth of the time of a comparison sort. The result may
 * share the memory of `pairs`.
 */
function sortPairs(pairs: BinPairs, limit: number): BinPairs {
  const count = pairs.keys.length;
  let from = pairs;
  let to: BinPairs = { keys: new Uint32Array(count), values: new Uint32Array(count) };
  for (let shift = 0; 2 ** shift < limit; shift += DIGIT_BITS) {
    sortByDigit(from, to, shift);
    [from, to] = [to, from];
  }
  return from;
}

function sortByDigit(from: BinPairs, to: BinPairs, shift: number): void {
  const count = from.keys.length;
  const offsets = new Uint32Array(DIGITS + 1);
  for (let pair = 0; pair < count; pair++) {
    const next = ((wordAt(from.keys, pair) >>> shift) & (DIGITS - 1)) + 1;
    offsets[next] = wordAt(offsets, next) + 1;
  }
  for (let digit = 0; digit < DIGITS; digit++) {
    offsets[digit + 1] = wordAt(offsets, digit + 1) + wordAt(offsets, digit);
  }
  for (let pair = 0; pair < count; pair++) {
    const key = wordAt(from.keys, pair);
    const digit = (key >>> shift) & (DIGITS - 1);
    const offset = wordAt(offsets, digit);
    offsets[digit] = offset + 1;
    to.keys[offset] = key;
    to.values[offset] = wordAt(from.values, pair);
  }
}
