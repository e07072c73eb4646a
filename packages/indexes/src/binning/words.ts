import { IndexError } from '../index-error.js';

/** Bytes of a word. */
export const WORD_BYTES = 4;

/** The position that stands for none. The word at 0 is never the target of a position, because an index begins with counts. */
export const NOWHERE = 0;

/** The part of an index that consists of little-endian 32-bit words. */
export class IndexWords {
  words: Uint32Array;
  /** Bytes of the index before the words. */
  readonly byteStart: number;
  #isOwn: boolean;

  /**
   * Takes the words of an index from `byteStart` on, without up to three bytes at the end. They are a view if they are aligned in
   * their buffer, and otherwise a copy.
   */
  constructor(bytes: Uint8Array, byteStart = 0) {
    const part = bytes.subarray(byteStart);
    this.byteStart = byteStart;
    this.#isOwn = part.byteOffset % WORD_BYTES !== 0;
    const aligned = this.#isOwn ? new Uint8Array(part) : part;
    this.words = new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / WORD_BYTES));
  }

  /** Replaces a view of the bytes, which belong to the caller, by a copy. Returns the words, which may then be changed. */
  toOwn(): Uint32Array {
    if (!this.#isOwn) this.words = this.words.slice();
    this.#isOwn = true;
    return this.words;
  }
}

/** Returns the word at a position that is known to be within the words. */
export function wordAt(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

/**
 * Returns the entry of an array that positions or counts were stored in. `wordAt` would be slower if compilers had to prepare it for
 * two kinds of arrays, and additions of unsigned words may need floating-point numbers.
 */
export function entryAt(entries: Int32Array, index: number): number {
  return entries[index] ?? 0;
}

/**
 * Whether the 64-bit value at position `a` is less than the one at `b`. Virtual offsets are compared in place, exactly and
 * without an allocation.
 */
export function isLess(words: Uint32Array, a: number, b: number): boolean {
  const highA = wordAt(words, a + 1);
  const highB = wordAt(words, b + 1);
  return highA < highB || (highA === highB && wordAt(words, a) < wordAt(words, b));
}

/** Returns `a` or `b`, whichever is the position of the smaller 64-bit value. */
export function lesserAt(words: Uint32Array, a: number, b: number): number {
  return isLess(words, b, a) ? b : a;
}

/** The value of both words of a virtual offset that HTSlib has not set. */
const UNSET = 0xffffffff;

/** Whether the virtual offset at position `at` is 0 or was never set. */
export function isUnknownOffset(words: Uint32Array, at: number): boolean {
  return isZeroPair(words, at) || (words[at] === UNSET && words[at + 1] === UNSET);
}

/** Whether the 64-bit value at position `at` is 0. */
export function isZeroPair(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0;
}

/** Returns the 64-bit count at position `at`. Throws `IndexError` INVALID_DATA above 2^53 - 1. */
export function countAt(data: IndexWords, at: number): number {
  const count = wordAt(data.words, at + 1) * 2 ** 32 + wordAt(data.words, at);
  if (!Number.isSafeInteger(count)) throw invalidAt(data, at, 'a count exceeds 2^53 - 1');
  return count;
}

/** Creates the `IndexError` INVALID_DATA for the word at position `at`. */
export function invalidAt({ byteStart }: IndexWords, at: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset: byteStart + at * WORD_BYTES });
}

/** Reads words in order and never past their end. */
export class WordCursor {
  readonly data: IndexWords;
  /** Position of the next word. */
  at = 0;

  constructor(data: IndexWords) {
    this.data = data;
  }

  /** Bytes of the index before the next word. */
  get byteOffset(): number {
    return this.data.byteStart + this.at * WORD_BYTES;
  }

  /** Number of words left. */
  get remaining(): number {
    return this.data.words.length - this.at;
  }

  /** Skips `count` words and returns the position of the first. Throws `IndexError` TRUNCATED if fewer are left. */
  skip(count: number): number {
    const { at } = this;
    if (count > this.remaining) {
      const [expected, left] = [count * WORD_BYTES, this.remaining * WORD_BYTES];
      throw new IndexError('TRUNCATED', `expected ${expected} bytes, ${left} left`, { offset: this.byteOffset });
    }
    this.at = at + count;
    return at;
  }

  /** Reads one word. */
  next(): number {
    return wordAt(this.data.words, this.skip(1));
  }
}

/** Bytes of a magic. */
export const MAGIC_BYTES = 4;

export const BAI_MAGIC = 'BAI\x01';
export const CSI_MAGIC = 'CSI\x01';
export const TBI_MAGIC = 'TBI\x01';

/** Whether `bytes` begin with a magic. */
export function hasMagic(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((character, at) => bytes[at] === character.charCodeAt(0));
}

/** Throws `IndexError` TRUNCATED or INVALID_MAGIC unless `bytes` begin with the magic. */
export function checkMagic(bytes: Uint8Array, magic: string): void {
  if (bytes.length < MAGIC_BYTES) {
    throw new IndexError('TRUNCATED', `expected ${MAGIC_BYTES} bytes, ${bytes.length} left`, { offset: 0 });
  }
  if (hasMagic(bytes, magic)) return;
  const format = magic.slice(0, 3);
  throw new IndexError('INVALID_MAGIC', `not a ${format} index: it does not begin with "${format}\\1"`, { offset: 0 });
}

/** Words of an index that are visited in one step. */
export const STEP_WORDS: number = 2 ** 17;
