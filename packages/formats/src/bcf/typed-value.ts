import { type FormatError, invalidData } from '../format-error.js';

/** The type of a missing value (VCFv4.3 §6.3.3). */
export const MISSING = 0;
/** The types of integers. */
export const INT8 = 1;
export const INT16 = 2;
export const INT32 = 3;
/** The type of 32-bit floating-point numbers. */
export const FLOAT = 5;
/** The type of texts. */
export const CHARACTER = 7;
/** A missing 32-bit integer; that of shorter integers is their least value, too. */
export const INT32_MISSING: number = -(2 ** 31);
/** The 32-bit integer that ends a vector before its last element; that of shorter integers follows their least value, too. */
export const INT32_END: number = INT32_MISSING + 1;
/** The 32-bit integers that are values: the least eight are reserved. */
export const MIN_INT32: number = INT32_MISSING + 8;
export const MAX_INT32: number = 2 ** 31 - 1;
/** The bits of a missing float. */
export const FLOAT_MISSING = 0x7f80_0001;
/** The bits of the float that ends a vector before its last element. */
export const FLOAT_END = 0x7f80_0002;

/** Bytes of an element by type: missing, int8, int16, int32, float, character (VCFv4.3 §6.3.3); undefined for unknown types. */
const ELEMENT_BYTES = [0, 1, 2, 4, undefined, 4, undefined, 1];
/** The least values of each integer type stand for missing values and ends of vectors. */
const RESERVED_VALUES = 8;
/** In the high half of the type byte: the value is a single element. */
const SINGLE = 1;
/** In the high half of the type byte: the element count follows as a typed integer. */
const LONG_COUNT = 15;

/** Reads consecutive typed values (VCFv4.3 §6.3.3). Throws `FormatError` `INVALID_DATA` for malformed ones. */
export class TypedValueReader {
  readonly #view: DataView;
  #at = 0;
  #end = 0;
  /** The type of the value that was read last. */
  type: number = MISSING;
  /** The elements of the value that was read last. */
  count = 0;
  /** Bytes of an element of the value that was read last. */
  elementBytes = 0;
  /** The offset of the elements of the value that was read last. */
  start = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** The offset of the next value. */
  get at(): number {
    return this.#at;
  }

  /** Continues with the values in [start, end), which must lie within the data. */
  enter(start: number, end: number): void {
    this.#at = start;
    this.#end = end;
  }

  /** Reads a single integer. */
  readInteger(): number {
    const start = this.#at;
    const descriptor = this.#readDescriptor();
    const type = descriptor >>> 4 === SINGLE ? descriptor & 0xf : 0;
    const valueStart = this.#at;
    this.#advance(ELEMENT_BYTES[type] ?? 0, start);
    const value = this.#integerAt(type, valueStart);
    if (value === undefined) throw malformed(start);
    return value;
  }

  /**
   * Reads the integers of `rows` values that share one type and element count. Missing ones are 0; values of another type have
   * none.
   */
  readIntegers(rows = 1): readonly number[] {
    const start = this.#at;
    const bytes = rows * this.skip(rows);
    const type = this.#view.getUint8(start) & 0xf;
    const elementBytes = ELEMENT_BYTES[type] ?? 0;
    const least = RESERVED_VALUES - 2 ** (8 * elementBytes - 1);
    const integers: number[] = [];
    for (let at = this.#at - bytes; at < this.#at; at += elementBytes) {
      const value = this.#integerAt(type, at);
      if (value === undefined) break;
      integers.push(value < least ? 0 : value);
    }
    return integers;
  }

  /** Skips `rows` values that share one type and element count, and returns the bytes of one value. */
  skip(rows = 1): number {
    this.read(rows);
    return this.count * this.elementBytes;
  }

  /** Reads the type, element count and position of `rows` values that share one type and element count. */
  read(rows = 1): void {
    const start = this.#at;
    const descriptor = this.#readDescriptor();
    const count = descriptor >>> 4 === LONG_COUNT ? this.readInteger() : descriptor >>> 4;
    const elementBytes = ELEMENT_BYTES[descriptor & 0xf];
    // The missing type has no elements.
    if (count < 0 || elementBytes === undefined || (elementBytes === 0 && count > 0)) throw malformed(start);
    this.type = descriptor & 0xf;
    this.count = count;
    this.elementBytes = elementBytes;
    this.start = this.#at;
    this.#advance(rows * count * elementBytes, start);
  }

  /** Throws if bytes remain after the last value. */
  checkEnd(): void {
    if (this.#at === this.#end) return;
    throw invalidData('record has bytes after its last typed value', this.#at);
  }

  #integerAt(type: number, at: number): number | undefined {
    if (type === INT8) return this.#view.getInt8(at);
    if (type === INT16) return this.#view.getInt16(at, true);
    return type === INT32 ? this.#view.getInt32(at, true) : undefined;
  }

  #readDescriptor(): number {
    const at = this.#at;
    this.#advance(1, at);
    return this.#view.getUint8(at);
  }

  /** Skips bytes of the value at `start`. */
  #advance(byteLength: number, start: number): void {
    const byteEnd = this.#at + byteLength;
    if (byteEnd > this.#end) throw malformed(start);
    this.#at = byteEnd;
  }
}

function malformed(at: number): FormatError {
  return invalidData('typed value has an unexpected type or extends past the end of its record', at);
}
