import { join } from '../bam/build-bam.js';

/** Types of elements by their number, and the bytes of one (VCFv4.3 §6.3.3). */
const ELEMENT_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, 3: 4, 5: 4, 7: 1 };

/** A typed integer of type 1, 2 or 3: of one byte, two or four. */
export function buildInteger(value: number, type = 1): Uint8Array {
  const bytes = new Uint8Array(1 + 2 ** (type - 1));
  bytes[0] = 0x10 | type;
  for (let rank = 1; rank < bytes.length; rank++) bytes[rank] = value >> (8 * (rank - 1));
  return bytes;
}

/** What comes in front of values of `count` elements, with a long count of that type where it must be, or is said. */
function buildDescriptor(type: number, count: number, longCountType?: number): Uint8Array {
  if (count < 15 && longCountType === undefined) return Uint8Array.of((count << 4) | type);
  return join([
    Uint8Array.of(0xf0 | type),
    buildInteger(count, longCountType ?? (count < 128 ? 1 : count < 32_768 ? 2 : 3)),
  ]);
}

/** Values of `rows` samples, or of INFO, of `count` elements each, whose bytes are some. */
export function buildValues(
  type: number,
  count: number,
  options: { rows?: number; longCountType?: number | undefined } = {},
): Uint8Array {
  const { rows = 1, longCountType } = options;
  const byteLength = rows * count * (ELEMENT_BYTES[type] ?? 0);
  return join([
    buildDescriptor(type, count, longCountType),
    Uint8Array.from({ length: byteLength }, (_, at) => 0x41 + at),
  ]);
}
