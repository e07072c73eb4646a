import {
  CHARACTER,
  INT8,
  INT16,
  INT32,
  INT32_END,
  INT32_MISSING,
  MAX_INT32,
  MIN_INT32,
  MISSING,
} from '../bcf/typed-value.js';
import type { ByteWriter } from './byte-writer.js';

const [MIN_INT16, MAX_INT16, MIN_INT8, MAX_INT8] = [-(2 ** 15) + 8, 2 ** 15 - 1, -(2 ** 7) + 8, 2 ** 7 - 1];
/** Counts from here on follow the type byte as an integer. */
const LONG_COUNT = 15;

/** Writes the type byte of a value of `count` elements, and the count if it is large. */
export function writeDescriptor(writer: ByteWriter, count: number, type: number): void {
  if (count < LONG_COUNT) {
    writer.uint8(count * 16 + type);
    return;
  }
  writer.uint8(LONG_COUNT * 16 + type);
  writeInteger(writer, count);
}

/** Writes a single integer, possibly `INT32_MISSING`, in the smallest type. */
export function writeInteger(writer: ByteWriter, value: number): void {
  const type = value === INT32_MISSING ? INT8 : integerType(value, value);
  writer.uint8(16 + type);
  writeElement(writer, value, type);
}

/** Writes the bytes [start, end) of `source` as a text. */
export function writeCharacters(writer: ByteWriter, source: Uint8Array, start: number, end: number): void {
  writeDescriptor(writer, end - start, CHARACTER);
  writer.copy(source, start, end);
}

/**
 * Writes the first `length` integers of `values` as vectors of `count` elements in the smallest type that holds all. A vector
 * without elements has the type "missing".
 */
export function writeIntegers(writer: ByteWriter, values: Int32Array, length: number, count: number = length): void {
  if (length === 0) {
    writer.uint8(MISSING);
    return;
  }
  let min = MAX_INT32;
  let max = MIN_INT32;
  for (let i = 0; i < length; i++) {
    const value = values[i] ?? 0;
    if (value <= INT32_END) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const type = integerType(min, max);
  writeDescriptor(writer, count, type);
  for (let i = 0; i < length; i++) writeElement(writer, values[i] ?? 0, type);
}

/** Returns the smallest type that holds the integers from `min` to `max`; that of 8 bits if there are none: `min` is over `max`. */
function integerType(min: number, max: number): number {
  if (max <= MAX_INT8 && min >= MIN_INT8) return INT8;
  return max <= MAX_INT16 && min >= MIN_INT16 ? INT16 : INT32;
}

/** Writes an integer. The low bits of "missing" and "end of vector" in 32 bits are not those in fewer. */
function writeElement(writer: ByteWriter, value: number, type: number): void {
  if (type === INT32) writer.int32(value);
  else if (type === INT16) writer.int16(value <= INT32_END ? value - INT32_MISSING - 2 ** 15 : value);
  else writer.uint8(value <= INT32_END ? value - INT32_MISSING - 2 ** 7 : value);
}
