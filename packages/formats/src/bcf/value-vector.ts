import { LEAST, readElement } from '../convert/variants/bcf-values.js';
import { invalidData } from '../format-error.js';
import { CHARACTER, FLOAT, FLOAT_END, FLOAT_MISSING, INT8, INT32 } from './typed-value.js';

/** Values of one type: `count` elements for each row, from `start` on. INFO has one row, FORMAT one for each sample. */
export interface ValueVector {
  readonly type: number;
  readonly count: number;
  readonly elementBytes: number;
  readonly start: number;
}

/**
 * Returns the numbers of a row; null for missing ones, and for a vector that ends before its first element. Throws `FormatError`
 * `INVALID_DATA` for a text.
 */
export function readNumbers(
  view: DataView,
  { type, count, start, elementBytes }: ValueVector,
  row = 0,
): (number | null)[] {
  if (type === CHARACTER) throw invalidData('value is a text', start);
  const numbers: (number | null)[] = [];
  for (let i = 0, at = start + row * count * elementBytes; i < count; i++, at += elementBytes) {
    const value = type === FLOAT ? readFloat(view, at) : readInteger(view, at, type);
    if (value === undefined) break;
    numbers.push(value);
  }
  return count > 0 && numbers.length === 0 ? [null] : numbers;
}

/** Returns the end of a text of a row, which NULs pad. */
export function textEnd(bytes: Uint8Array, { start, count }: ValueVector, row = 0): number {
  const end = start + (row + 1) * count;
  let at = end - count;
  while (at < end && bytes[at] !== 0) at++;
  return at;
}

/** Returns null for a missing float, and undefined for the end of a vector. */
function readFloat(view: DataView, at: number): number | null | undefined {
  const bits = view.getUint32(at, true);
  if (bits === FLOAT_END) return undefined;
  return bits === FLOAT_MISSING ? null : view.getFloat32(at, true);
}

/** Returns null for a missing integer, and undefined for the end of a vector. */
function readInteger(view: DataView, at: number, type: number): number | null | undefined {
  if (type < INT8 || type > INT32) throw invalidData('value has an unexpected type', at);
  const value = readElement(view, at, type);
  const least = LEAST[type] ?? 0;
  if (value === least + 1) return undefined;
  return value === least ? null : value;
}
