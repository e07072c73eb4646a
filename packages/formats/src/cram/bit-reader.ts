import type { ByteCursor } from './byte-cursor.js';

/** Reads bits from the highest to the lowest of each byte (CRAM 3.1 §2.2). Throws `FormatError` `TRUNCATED` at the end of the data. */
export class BitReader {
  readonly cursor: ByteCursor;
  /** The current byte, and the number of its bits that are unread. */
  #byte = 0;
  #bitsLeft = 0;

  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
  }

  readBit(): number {
    if (this.#bitsLeft === 0) {
      this.#byte = this.cursor.readByte();
      this.#bitsLeft = 8;
    }
    this.#bitsLeft -= 1;
    return (this.#byte >> this.#bitsLeft) & 1;
  }

  /** Reads up to 48 bits as an unsigned number. */
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

  /** Counts the bits of value `bit` up to the first other bit, and reads that, too. Throws `INVALID_DATA` for more than `limit`. */
  readUnary(bit: 0 | 1, limit: number): number {
    let count = 0;
    while (this.readBit() === bit) {
      count += 1;
      if (count > limit) throw this.cursor.invalid(`unary prefix is over the limit of ${limit} bits`);
    }
    return count;
  }
}
