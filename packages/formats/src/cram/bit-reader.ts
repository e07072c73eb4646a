import type { ByteCursor } from './byte-cursor.js';

/** Reads bits, the highest of a byte first (CRAM 3.1 §2.2). */
export class BitReader {
  readonly cursor: ByteCursor;
  /** The byte at hand, and how many of its bits are left. */
  #byte = 0;
  #bitsLeft = 0;

  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
  }

  /** Throws `FormatError` TRUNCATED where the bytes end, as everything here does. */
  readBit(): number {
    if (this.#bitsLeft === 0) {
      this.#byte = this.cursor.readByte();
      this.#bitsLeft = 8;
    }
    this.#bitsLeft -= 1;
    return (this.#byte >> this.#bitsLeft) & 1;
  }

  /** The next bits, up to 48, as an unsigned number. */
  readBits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      if (this.#bitsLeft === 0) {
        this.#byte = this.cursor.readByte();
        this.#bitsLeft = 8;
      }
      const taken = Math.min(left, this.#bitsLeft);
      this.#bitsLeft -= taken;
      left -= taken;
      value = value * 2 ** taken + ((this.#byte >> this.#bitsLeft) & (2 ** taken - 1));
    }
    return value;
  }

  /** How many bits of value `bit` come before one of the other, which is read too. Throws INVALID_DATA over `limit`. */
  readUnary(bit: 0 | 1, limit: number): number {
    let count = 0;
    while (this.readBit() === bit) {
      count += 1;
      if (count > limit) throw this.cursor.invalid('a prefix of a number is too long');
    }
    return count;
  }
}
