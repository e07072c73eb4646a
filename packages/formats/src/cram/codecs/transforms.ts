import { ByteCursor } from '../byte-cursor.js';

/** How symbols are packed into bytes (CRAM codecs §3.5). */
export interface Packing {
  /** The symbols by their codes. Empty if the data is not packed. */
  readonly symbols: Uint8Array;
  /** Bytes of the packed data. */
  readonly packedSize: number;
}

const MAX_PACKED_SYMBOLS = 16;

/**
 * Reads how data of `size` bytes is packed. Data of more than 16 symbols, where 256 is written as 0, is not packed, and its
 * symbols are not listed: the specification does not allow it, but htslib writes it. Throws `FormatError` `INVALID_DATA` for
 * an impossible size.
 */
export function readPacking(cursor: ByteCursor, size: number): Packing {
  const count = cursor.readByte();
  const isPacked = count > 0 && count <= MAX_PACKED_SYMBOLS;
  const symbols = cursor.readBytes(isPacked ? count : 0);
  const packedSize = cursor.readUint7();
  if (packedSize > size || (!isPacked && packedSize < size)) {
    throw cursor.invalid(`packed data of ${packedSize} bytes cannot expand to ${size}`);
  }
  return { symbols, packedSize };
}

/** Unpacks symbols of 0, 1, 2 or 4 bits, the lowest bits of a byte first. */
export function unpack(
  packed: Uint8Array,
  { symbols }: Packing,
  { size, cursor }: { readonly size: number; readonly cursor: ByteCursor },
): Uint8Array {
  if (symbols.length === 0) return packed;
  const bits = bitsOf(symbols.length);
  const output = new Uint8Array(size);
  if (bits === 0) return output.fill(symbols[0] ?? 0);
  const perByte = 8 / bits;
  if (packed.length < Math.ceil(size / perByte))
    throw cursor.invalid(`packed data has ${packed.length} bytes, too few for ${size} symbols`);
  const mask = 2 ** bits - 1;
  for (let at = 0; at < size; at++) {
    const shift = bits * (at % perByte);
    output[at] = symbols[((packed[Math.floor(at / perByte)] ?? 0) >> shift) & mask] ?? 0;
  }
  return output;
}

function bitsOf(symbolCount: number): number {
  if (symbolCount === 1) return 0;
  if (symbolCount === 2) return 1;
  return symbolCount <= 4 ? 2 : 4;
}

/** How the stripes of a block are decoded. */
export interface StripeOptions {
  readonly size: number;
  /** The flag of a stripe's first byte that marks the stripe as striped itself. */
  readonly stripeFlag: number;
  readonly decode: (cursor: ByteCursor, size: number) => Uint8Array;
}

/**
 * Decodes stripes, and interleaves their bytes (CRAM codecs §3.6). Throws `FormatError` `INVALID_DATA` for nested stripes: no
 * writer makes them, and their nesting could be unbounded.
 */
export function decodeStripes(cursor: ByteCursor, { size, stripeFlag, decode }: StripeOptions): Uint8Array {
  const count = cursor.readByte();
  if (count === 0) throw cursor.invalid('striped data has no stripes');
  const compressedSizes = Array.from({ length: count }, () => cursor.readUint7());
  const output = new Uint8Array(size);
  for (const [stripe, compressedSize] of compressedSizes.entries()) {
    const { offset } = cursor;
    const compressed = cursor.readBytes(compressedSize);
    if (((compressed[0] ?? 0) & stripeFlag) !== 0) throw cursor.invalid('stripes are nested');
    const data = decode(new ByteCursor(compressed, offset), Math.floor((size - stripe + count - 1) / count));
    for (let at = 0; at < data.length; at++) output[stripe + at * count] = data[at] ?? 0;
  }
  return output;
}
