import type { ByteWriter } from '../bytes/byte-writer.js';
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
} from './typed-value.js';

const [MIN_INT16, MAX_INT16, MIN_INT8, MAX_INT8] = [-(2 ** 15) + 8, 2 ** 15 - 1, -(2 ** 7) + 8, 2 ** 7 - 1];
const [INT8_MISSING, INT16_MISSING] = [-(2 ** 7), -(2 ** 15)];
/** Counts from here on follow the type byte as an integer. */
const LONG_COUNT = 15;

/**
 * The imported constants of hot loops. A local constant is compiled into the code, while an imported one is loaded and checked
 * at each use.
 */
const [BYTE, SHORT, INT, LAST_RESERVED] = [INT8, INT16, INT32, INT32_END];

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
  const at = writer.reserve(integerBytes(type));
  writeIntegerAt(writer.memory, at, value, type);
}

/** Writes the bytes [start, end) of `source` as a text. */
export function writeCharacters(writer: ByteWriter, source: Uint8Array, start: number, end: number): void {
  writeDescriptor(writer, end - start, CHARACTER);
  writer.copy(source, start, end);
}

/** Writes the first `count` integers of `values` as a vector in the smallest type that holds all: "missing" without elements. */
export function writeIntegers(writer: ByteWriter, values: Int32Array, count: number): void {
  if (count === 0) {
    writer.uint8(MISSING);
    return;
  }
  if (count === 1) {
    writeInteger(writer, values[0] ?? 0);
    return;
  }
  let min = MAX_INT32;
  let max = MIN_INT32;
  for (let i = 0; i < count; i++) {
    const value = values[i] ?? 0;
    if (value > max) max = value;
    if (value < min && value > INT32_END) min = value;
  }
  const type = integerType(min, max);
  writeDescriptor(writer, count, type);
  let to = writer.reserve(count * integerBytes(type));
  for (let i = 0; i < count; i++) to = writeIntegerAt(writer.memory, to, values[i] ?? 0, type);
}

/** Returns the smallest type that holds the integers from `min` to `max`; that of 8 bits if there are none: `min` is over `max`. */
export function integerType(min: number, max: number): number {
  if (max <= MAX_INT8 && min >= MIN_INT8) return INT8;
  return max <= MAX_INT16 && min >= MIN_INT16 ? INT16 : INT32;
}

/** Returns the bytes of an integer of a type. */
export function integerBytes(type: number): number {
  return type === INT ? 4 : type;
}

/**
 * Writes an integer at `at`, and returns the offset just after it. "Missing" and "end of vector" are the two least integers of
 * each type, here those of 32 bits.
 */
export function writeIntegerAt(target: Uint8Array, at: number, value: number, type: number): number {
  if (type === BYTE) {
    target[at] = value > LAST_RESERVED ? value : INT8_MISSING + (value & 1);
    return at + 1;
  }
  const stored = type === INT || value > LAST_RESERVED ? value : INT16_MISSING + (value & 1);
  // Single bytes take half of the time of a DataView.
  target[at] = stored;
  target[at + 1] = stored >> 8;
  if (type === SHORT) return at + 2;
  target[at + 2] = stored >> 16;
  target[at + 3] = stored >> 24;
  return at + 4;
}
