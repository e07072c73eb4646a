import type { Steps } from '@htskit/io/internal';
import { type BinningFormat, CHUNK_WORDS } from './reference-table.js';
import { entryAt, type IndexWords, invalidAt, isLess, NOWHERE, STEP_WORDS, wordAt } from './words.js';

/** The bins of one reference as the index stores them. */
export interface StoredBins {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly binsAt: number;
  readonly binCount: number;
}

/** Returns the position just after the chunks that begin at `chunksAt`. */
export function chunksEnd(words: Uint32Array, chunksAt: number): number {
  return chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
}

/** Bins without chunks have slots unless there would be more slots than this for each bin with chunks. */
const MAX_SLOTS_PER_BIN = 2;

/**
 * The positions of the bins of a reference that contain chunks, in slots. Each level has a slot for every bin up to the last that
 * contains chunks, so that a query need not search. If most of these would be empty, only bins that contain chunks have one.
 */
export class ReferenceBins {
  /**
   * By slot, the position of the chunks of its bin, or of the next bin of the level if its bin contains none. The slots of each
   * level are followed by one with NOWHERE.
   */
  readonly chunksAt: Int32Array;
  /** By level, its first slot, followed by the number of slots. */
  readonly levelStarts: Int32Array;
  /** By slot, the ordinal of its bin: how many bins precede it on the level. Undefined if bins without chunks have slots. */
  readonly ordinals: Int32Array | undefined;
  /** Whether the chunks were stored in the order of their starts and on each level also end in ascending order. */
  readonly isSorted: boolean;

  /**
   * Finds the bins, which writers store in hash order, and sorts the chunks of each by start in the words, if need be in a copy.
   * Throws `IndexError` INVALID_DATA for a duplicate bin, a chunk that ends before it starts, and bins whose chunks contradict
   * a sorted file.
   */
  constructor(stored: StoredBins) {
    const firsts = stored.format.scheme.levels.map(({ first }) => first);
    const listed = listBins(stored, firsts);
    const { numbers, binCounts, extents } = listed;
    const isDense = extents.reduce((sum, extent) => sum + extent, 0) <= MAX_SLOTS_PER_BIN * numbers.length;
    this.levelStarts = startsOf(isDense ? extents : binCounts);
    this.ordinals = isDense ? undefined : sortOrdinals(numbers, firsts);
    this.chunksAt = this.#fillSlots(stored.data, listed, firsts);
    this.isSorted = sortChunks(stored.data, this.chunksAt);
  }

  /** Returns the slot of the bin with this ordinal, or if it has none, of the next bin of the level, or the slot after the last. */
  slotOf(level: number, ordinal: number): number {
    const first = entryAt(this.levelStarts, level);
    const end = entryAt(this.levelStarts, level + 1) - 1;
    return this.ordinals === undefined ? Math.min(first + ordinal, end) : findSlot(this.ordinals, ordinal, first, end);
  }

  /** Whether the bin with this ordinal contains chunks. `slot` is what `slotOf` returned for it. */
  hasBin(slot: number, ordinal: number): boolean {
    const at = entryAt(this.chunksAt, slot);
    if (at === NOWHERE) return false;
    return this.ordinals === undefined ? at !== this.chunksAt[slot + 1] : this.ordinals[slot] === ordinal;
  }

  /** Returns the ordinal of the bin of a slot. */
  ordinalOf(level: number, slot: number): number {
    return this.ordinals === undefined ? slot - entryAt(this.levelStarts, level) : entryAt(this.ordinals, slot);
  }

  /** Returns the position of the first chunk of a level from this slot on, or NOWHERE. */
  earliestAt(slot: number): number {
    return entryAt(this.chunksAt, slot);
  }

  /** Returns the last slot before `slot` whose bin contains chunks, or undefined if none is on the level. */
  previousSlot(level: number, slot: number): number | undefined {
    const first = entryAt(this.levelStarts, level);
    let previous = slot - 1;
    while (previous >= first && this.chunksAt[previous] === this.chunksAt[previous + 1]) previous--;
    return previous < first ? undefined : previous;
  }

  /** Returns the position of the end offset that is the last in the file of all chunks of the bin of a slot. */
  latestEndAt(words: Uint32Array, slot: number): number {
    const first = entryAt(this.chunksAt, slot);
    const end = chunksEnd(words, first);
    let latestAt = end - 2;
    if (this.isSorted) return latestAt;
    for (let at = first; at < end; at += CHUNK_WORDS) if (isLess(words, latestAt, at + 2)) latestAt = at + 2;
    return latestAt;
  }

  /** Stores the position of each bin, and in the slots of bins without chunks that of the next bin of the level. */
  #fillSlots(data: IndexWords, { numbers, positions }: ListedBins, firsts: readonly number[]): Int32Array {
    const { levelStarts } = this;
    const chunksAt = new Int32Array(entryAt(levelStarts, firsts.length));
    for (let bin = 0; bin < numbers.length; bin++) {
      const number = wordAt(numbers, bin);
      const level = levelOf(firsts, number);
      const slot = this.slotOf(level, number - (firsts[level] ?? 0));
      if (chunksAt[slot] !== NOWHERE) throw invalidAt(data, wordAt(positions, bin), `duplicate bin ${number}`);
      chunksAt[slot] = wordAt(positions, bin);
    }
    for (let level = 0; level < firsts.length; level++) {
      const first = entryAt(levelStarts, level);
      for (let slot = entryAt(levelStarts, level + 1) - 2; slot >= first; slot--) {
        if (chunksAt[slot] === NOWHERE) chunksAt[slot] = entryAt(chunksAt, slot + 1);
      }
    }
    return chunksAt;
  }
}

/** Checks the chunks of all bins and sorts those of a bin that are not in order. Returns `ReferenceBins.isSorted`. */
function sortChunks(data: IndexWords, chunksAt: Int32Array): boolean {
  let isSorted = true;
  let previousAt = NOWHERE;
  for (let slot = 0; slot < chunksAt.length; slot++) {
    const first = entryAt(chunksAt, slot);
    if (first === NOWHERE) previousAt = NOWHERE;
    if (first === NOWHERE || first === chunksAt[slot + 1]) continue;
    const { words } = data;
    const end = chunksEnd(words, first);
    const lastOfPreviousBin = previousAt;
    let isInOrder = true;
    for (let at = first; at < end; at += CHUNK_WORDS) {
      if (isLess(words, at + 2, at)) throw invalidAt(data, at, 'a chunk ends before it starts');
      if (previousAt !== NOWHERE) {
        if (isLess(words, at, previousAt)) isInOrder = false;
        if (isLess(words, at + 2, previousAt + 2)) isSorted = false;
      }
      previousAt = at;
    }
    if (isInOrder) continue;
    sortBin(data, first, end);
    if (lastOfPreviousBin !== NOWHERE && isLess(data.words, first, lastOfPreviousBin)) {
      throw invalidAt(data, first, 'the chunks of a bin start before those of the previous bin');
    }
    isSorted = false;
  }
  return isSorted;
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

/** The bins of a reference that contain chunks, in stored order. */
interface ListedBins {
  readonly numbers: Uint32Array;
  /** By bin, the position of its chunks. */
  readonly positions: Uint32Array;
  /** By level, the number of bins. */
  readonly binCounts: Uint32Array;
  /** By level, the number of all bins up to the last with chunks. */
  readonly extents: Uint32Array;
}

/** Lists the bins that contain chunks. `firsts` has the first bin of each level. */
function listBins({ data, format, binsAt, binCount }: StoredBins, firsts: readonly number[]): ListedBins {
  const { words } = data;
  const { binLimit } = format.scheme;
  const numbers = new Uint32Array(binCount);
  const positions = new Uint32Array(binCount);
  const binCounts = new Uint32Array(firsts.length);
  const extents = new Uint32Array(firsts.length);
  let count = 0;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    const number = wordAt(words, at);
    const first = at + format.binHeaderWords;
    at = chunksEnd(words, first);
    if (number >= binLimit || at === first) continue;
    numbers[count] = number;
    positions[count++] = first;
    const level = levelOf(firsts, number);
    binCounts[level] = wordAt(binCounts, level) + 1;
    extents[level] = Math.max(wordAt(extents, level), number - (firsts[level] ?? 0) + 1);
  }
  return { numbers: numbers.subarray(0, count), positions: positions.subarray(0, count), binCounts, extents };
}

function levelOf(firsts: readonly number[], number: number): number {
  let level = firsts.length - 1;
  while (number < (firsts[level] ?? 0)) level--;
  return level;
}

/** Returns the first slot of each level, followed by the number of slots. */
function startsOf(counts: Uint32Array): Int32Array {
  const starts = new Int32Array(counts.length + 1);
  for (const [level, count] of counts.entries()) starts[level + 1] = entryAt(starts, level) + count + 1;
  return starts;
}

/** Returns the ordinals of bins in ascending order, with a slot of 0 after each level. */
function sortOrdinals(numbers: Uint32Array, firsts: readonly number[]): Int32Array {
  const ordinals = new Int32Array(numbers.length + firsts.length);
  for (const [index, number] of numbers.slice().sort().entries()) {
    const level = levelOf(firsts, number);
    ordinals[index + level] = number - (firsts[level] ?? 0);
  }
  return ordinals;
}

/** Returns the first slot in [from, to) with at least this ordinal, or `to`. */
function findSlot(ordinals: Int32Array, ordinal: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entryAt(ordinals, middle) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts the chunks of a bin by start. */
function sortBin(data: IndexWords, first: number, end: number): void {
  const { words } = data;
  const order = Uint32Array.from({ length: (end - first) / CHUNK_WORDS }, (_, chunk) => first + CHUNK_WORDS * chunk);
  order.sort((a, b) => (isLess(words, a, b) ? -1 : Number(isLess(words, b, a))));
  const sorted = Array.from(order, (at) => words.slice(at, at + CHUNK_WORDS));
  const target = data.toOwn();
  for (const [chunk, chunkWords] of sorted.entries()) target.set(chunkWords, first + CHUNK_WORDS * chunk);
}
