import { FormatError } from '../format-error.js';

/** Reads the numbers of CRAM (CRAM 3.1 §2.3) one after the other. In front of `bytes` there were `offset` bytes. */
export class ByteCursor {
  at = 0;
  readonly bytes: Uint8Array;
  readonly #offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#offset = offset;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  /** Bytes from the start of the data to what is read next. */
  get offset(): number {
    return this.#offset + this.at;
  }

  /** Throws `FormatError` TRUNCATED where the bytes end, as everything here does. */
  readByte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw this.#truncated();
    this.at += 1;
    return byte;
  }

  /** A view of the next bytes. */
  readBytes(length: number): Uint8Array {
    if (!(length >= 0 && length <= this.remaining)) throw this.#truncated();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    this.readBytes(length);
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

  /** A signed number of 32 bits. The leading ones of the first byte tell how many follow. */
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

  /** An ITF8 number that counts or measures something. Throws INVALID_DATA for a negative one. */
  readCount(): number {
    const { offset } = this;
    const count = this.readItf8();
    if (count < 0) throw new FormatError('INVALID_DATA', `${count} is no count or length`, { offset });
    return count;
  }

  /** A number of 64 bits that counts something. Throws INVALID_DATA for one that is negative or over 2^53 − 1. */
  readLtf8(): number {
    const { offset } = this;
    const first = this.readByte();
    const following = Math.clz32(~(first << 24));
    let value = first & (0xff >> Math.min(following + 1, 8));
    for (let i = 0; i < following; i++) value = value * 256 + this.readByte();
    if (value > Number.MAX_SAFE_INTEGER) {
      throw new FormatError('INVALID_DATA', 'a count is negative or larger than 2^53 - 1', { offset });
    }
    return value;
  }

  /** A number of up to 32 bits, seven in a byte, the highest first (CRAM codecs §1.4). */
  readUint7(): number {
    const { offset } = this;
    let value = 0;
    for (;;) {
      const byte = this.readByte();
      value = value * 128 + (byte & 0x7f);
      if (value >= 2 ** 32) throw new FormatError('INVALID_DATA', 'a number is larger than 32 bits', { offset });
      if (byte < 0x80) return value;
    }
  }

  /** The error INVALID_DATA for what is read next. */
  invalid(message: string): FormatError {
    return new FormatError('INVALID_DATA', message, { offset: this.offset });
  }

  #truncated(): FormatError {
    return new FormatError('TRUNCATED', 'the data ends too early', { offset: this.#offset + this.bytes.length });
  }
}
