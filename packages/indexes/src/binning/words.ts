import { IndexError } from '../index-error.js';

export const WORD_BYTES = 4;

/** The position of no word: the first word of every index is its magic, never a value that is pointed at. */
export const NOWHERE = 0;

/** The part of an index that consists of little-endian 32-bit words. */
export interface IndexWords {
  readonly words: Uint32Array;
  /** Bytes of the index in front of the words. */
  readonly byteStart: number;
}

/**
 * The words of an index from `byteStart` on; up to three bytes at the end are left out. A view where they are aligned in
 * their buffer, a copy otherwise.
 */
export function toWords(bytes: Uint8Array, byteStart = 0): IndexWords {
  const part = bytes.subarray(byteStart);
  const aligned = part.byteOffset % WORD_BYTES === 0 ? part : new Uint8Array(part);
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / WORD_BYTES));
  return { words, byteStart };
}

/** The word at a position that a check has already shown to be inside. */
export function wordAt(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

/**
 * Whether the 64-bit value that begins at word `a` is less than the one at `b`. Virtual offsets are compared where they
 * stand in the index: exactly, and without building a value of either.
 */
export function isLess(words: Uint32Array, a: number, b: number): boolean {
  const highA = wordAt(words, a + 1);
  const highB = wordAt(words, b + 1);
  return highA < highB || (highA === highB && wordAt(words, a) < wordAt(words, b));
}

/** The position, of these two, of the 64-bit value that is less. */
export function lesserAt(words: Uint32Array, a: number, b: number): number {
  return isLess(words, b, a) ? b : a;
}

/** What HTSlib leaves where it set nothing, in two words. */
const UNSET = 0xffffffff;

/** Whether the virtual offset at word `at` tells nothing: it is 0, or was never set. */
export function isUnknownOffset(words: Uint32Array, at: number): boolean {
  return isZeroPair(words, at) || (words[at] === UNSET && words[at + 1] === UNSET);
}

/** Whether the 64-bit value that begins at word `at` is 0. */
export function isZeroPair(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0;
}

/** The 64-bit count that begins at word `at`. Throws INVALID_DATA for one that a number cannot hold. */
export function countAt(data: IndexWords, at: number): number {
  const count = wordAt(data.words, at + 1) * 2 ** 32 + wordAt(data.words, at);
  if (!Number.isSafeInteger(count)) throw invalidAt(data, at, 'a count is larger than 2^53 - 1');
  return count;
}

/** The error for a fault at word `at`. */
export function invalidAt({ byteStart }: IndexWords, at: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset: byteStart + at * WORD_BYTES });
}

/** Walks over words from front to back, never beyond their end. */
export class WordCursor {
  readonly data: IndexWords;
  /** Position of the next word. */
  at = 0;

  constructor(data: IndexWords) {
    this.data = data;
  }

  /** Bytes of the index in front of the next word. */
  get byteOffset(): number {
    return this.data.byteStart + this.at * WORD_BYTES;
  }

  /** How many words are left. */
  get remaining(): number {
    return this.data.words.length - this.at;
  }

  /** Steps over `count` words and returns the position of the first. Throws TRUNCATED if there are fewer. */
  skip(count: number): number {
    const { at } = this;
    if (count > this.remaining) {
      const [expected, left] = [count * WORD_BYTES, this.remaining * WORD_BYTES];
      throw new IndexError('TRUNCATED', `${expected} bytes expected, ${left} left`, { offset: this.byteOffset });
    }
    this.at = at + count;
    return at;
  }

  /** Steps over one word and returns it. */
  next(): number {
    return wordAt(this.data.words, this.skip(1));
  }
}
