import { decodeText, encodeText } from '@htskit/io';
import type { KeyColumn } from './key-index.js';

/** A column of whole numbers: 32-bit ones as long as all values fit. */
export type NumberColumn = Uint32Array | Float64Array;

/** Texts in UTF-8, one after another. */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** The end of each text in `bytes`. */
  readonly ends: NumberColumn;
}

/** A column of numbers that grows. */
export class NumberColumnBuilder {
  #values: NumberColumn = new Uint32Array(1024);
  #length = 0;

  push(value: number): void {
    if (value > 0xffff_ffff && this.#values instanceof Uint32Array) this.#values = Float64Array.from(this.#values);
    if (this.#length === this.#values.length) {
      const values = this.#values instanceof Uint32Array ? Uint32Array : Float64Array;
      const longer = new values(2 * this.#length);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length++] = value;
  }

  /** Returns the values without copying them. */
  finish(): NumberColumn {
    return this.#values.subarray(0, this.#length);
  }
}

/** A column of bytes that grows. */
export class ByteColumnBuilder {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds a text in UTF-8. */
  pushText(text: string): void {
    this.push(encodeText(text));
  }

  /** Returns the bytes without copying them. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + byteLength));
    longer.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = longer;
  }
}

/** Returns the bytes of a text. */
export function textBytes({ bytes, ends }: TextColumn, row: number): Uint8Array {
  return bytes.subarray(row === 0 ? 0 : ends[row - 1], ends[row]);
}

/** Returns a text. */
export function textAt(column: TextColumn, row: number): string {
  return decodeText(textBytes(column, row));
}

/** Returns the keys of the texts of a column. */
export function textKeys(column: TextColumn): KeyColumn {
  return {
    length: column.ends.length,
    hash: (row) => hashText(textBytes(column, row)),
    isEqual: (row, other) => isEqualBytes(textBytes(column, row), textBytes(column, other)),
  };
}

/** Returns the bytes of a digest, of a column of digests of `width` bytes. */
export function digestBytes(column: Uint8Array, row: number, width: number): Uint8Array {
  return column.subarray(width * row, width * (row + 1));
}

/** Returns the keys of digests of `width` bytes that lie one after another. */
export function digestKeys(bytes: Uint8Array, width: number): KeyColumn {
  const at = (row: number): Uint8Array => digestBytes(bytes, row, width);
  return {
    length: bytes.length / width,
    hash: (row) => hashDigest(at(row)),
    isEqual: (row, other) => isEqualBytes(at(row), at(other)),
  };
}

/** FNV-1a with a final mix, because the lowest bits select the slot. */
export function hashText(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The bits of a digest are evenly distributed. */
export function hashDigest(bytes: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

export function isEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
