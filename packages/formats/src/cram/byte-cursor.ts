import { viewOf } from '../bytes/copy-bytes.js';
import { FormatError, invalidData } from '../format-error.js';

/** Something that is read from start to end, and can be read again from a place where it was before. */
export interface Positioned {
  position: number;
}

/**
 * Reads consecutive numbers of CRAM data (CRAM 3.1 §2.3). `bytes` start at byte `offset` of the file. All methods throw
 * `FormatError` `TRUNCATED` at the end of the bytes.
 */
export class ByteCursor implements Positioned {
  /** The index in `bytes` of the next byte to read. */
  at = 0;
  readonly bytes: Uint8Array;
  readonly #offset: number;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#offset = offset;
  }

  /** A view of the bytes. */
  get view(): DataView {
    this.#view ??= viewOf(this.bytes);
    return this.#view;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  get position(): number {
    return this.at;
  }

  set position(position: number) {
    this.at = position;
  }

  /** The offset in the file of the next byte to read. */
  get offset(): number {
    return this.#offset + this.at;
  }

  readByte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw this.truncated();
    this.at += 1;
    return byte;
  }

  /** Returns a view of the next bytes. */
  readBytes(length: number): Uint8Array {
    if (!(length >= 0 && length <= this.remaining)) throw this.truncated();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    if (!(length >= 0 && length <= this.remaining)) throw this.truncated();
    // V8 may hold a length as a float. Then all that is computed from `at` would be floats, and change the hidden classes of objects.
    this.at = (this.at + length) | 0;
  }

  readUint16(): number {
    const low = this.readByte();
    return low | (this.readByte() << 8);
  }

  readUint32(): number {
    const low = this.readUint16();
    return low + this.readUint16() * 2 ** 16;
  }

  readInt32(): number {
    return this.readUint32() | 0;
  }

  /** Reads a signed 32-bit number. The leading ones of its first byte are the number of bytes that follow. */
  readItf8(): number {
    const first = this.readByte();
    if (first < 0x80) return first;
    if (first < 0xc0) return ((first & 0x3f) << 8) | this.readByte();
    if (first < 0xe0) return ((first & 0x1f) << 16) | (this.readByte() << 8) | this.readByte();
    const high = (first & 0x0f) << 24;
    if (first < 0xf0) return high | (this.readByte() << 16) | (this.readByte() << 8) | this.readByte();
    const middle = (this.readByte() << 20) | (this.readByte() << 12) | (this.readByte() << 4);
    return (high << 4) | middle | (this.readByte() & 0x0f);
  }

  /** Reads an ITF8 number that is a count or length. Throws `INVALID_DATA` for a negative one. */
  readCount(): number {
    const { offset } = this;
    const count = this.readItf8();
    if (count < 0) throw invalidData(`${count} is not a valid count or length`, offset);
    return count;
  }

  /** Reads a 64-bit number that is a count. Throws `INVALID_DATA` for one that is negative or over 2^53 − 1. */
  readLtf8(): number {
    const { offset } = this;
    const first = this.readByte();
    const following = Math.clz32(~(first << 24));
    let value = first & (0xff >> Math.min(following + 1, 8));
    for (let i = 0; i < following; i++) value = value * 256 + this.readByte();
    if (value > Number.MAX_SAFE_INTEGER) throw invalidData('count is negative or over 2^53 - 1', offset);
    return value;
  }

  /** Reads a number of up to 32 bits, seven to a byte, the highest first (CRAM codecs §1.4). Throws `INVALID_DATA` for more. */
  readUint7(): number {
    const { offset } = this;
    let value = 0;
    for (;;) {
      const byte = this.readByte();
      value = value * 128 + (byte & 0x7f);
      if (value >= 2 ** 32) throw invalidData('uint7 number has more than 32 bits', offset);
      if (byte < 0x80) return value;
    }
  }

  /** Returns the error `INVALID_DATA` at the current offset. */
  invalid(message: string): FormatError {
    return invalidData(message, this.offset);
  }

  /** Returns the error `TRUNCATED` at the end of the bytes. */
  truncated(): FormatError {
    return new FormatError('TRUNCATED', 'unexpected end of data', { offset: this.#offset + this.bytes.length });
  }
}

/** Reads bits from the highest to the lowest of each byte (CRAM 3.1 §2.2). Throws `FormatError` `TRUNCATED` at the end of the data. */
export class BitReader implements Positioned {
  readonly cursor: ByteCursor;
  /** The current byte, and the number of its bits that are unread. */
  #byte = 0;
  #bitsLeft = 0;

  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
  }

  /** The number of bits that were read. */
  get position(): number {
    return 8 * this.cursor.at - this.#bitsLeft;
  }

  set position(position: number) {
    this.#bitsLeft = -position & 7;
    this.cursor.at = Math.ceil(position / 8);
    if (this.#bitsLeft > 0) this.#byte = this.cursor.bytes[this.cursor.at - 1] ?? 0;
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
