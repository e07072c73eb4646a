import { join } from '../bam/build-bam.js';

/** The bytes of an element by its type (VCFv4.3 §6.3.3). */
const ELEMENT_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, 3: 4, 5: 4, 7: 1 };

/** Builds a typed integer of type 1, 2 or 3, which takes one, two or four bytes. */
export function buildInteger(value: number, type = 1): Uint8Array {
  const bytes = new Uint8Array(1 + 2 ** (type - 1));
  bytes[0] = 0x10 | type;
  for (let i = 1; i < bytes.length; i++) bytes[i] = value >> (8 * (i - 1));
  return bytes;
}

/** Builds the type byte of `count` elements. A long count follows if `count` requires it or `longCountType` is set. */
function buildDescriptor(type: number, count: number, longCountType?: number): Uint8Array {
  if (count < 15 && longCountType === undefined) return Uint8Array.of((count << 4) | type);
  return join([
    Uint8Array.of(0xf0 | type),
    buildInteger(count, longCountType ?? (count < 128 ? 1 : count < 32_768 ? 2 : 3)),
  ]);
}

/** Builds `rows` values of `count` elements each, of arbitrary bytes. INFO has one row, FORMAT one for each sample. */
export function buildValues(
  type: number,
  count: number,
  options: { rows?: number; longCountType?: number } = {},
): Uint8Array {
  const { rows = 1, longCountType } = options;
  const byteLength = rows * count * (ELEMENT_BYTES[type] ?? 0);
  return join([
    buildDescriptor(type, count, longCountType),
    Uint8Array.from({ length: byteLength }, (_, at) => 0x41 + at),
  ]);
}
