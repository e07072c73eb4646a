import { ByteCursor } from '../byte-cursor.js';

/** The flags that the first byte has in both codecs with transforms (CRAM codecs §3.7, §4.3). */
export const FLAG = { order1: 1, stripe: 8, noSize: 16, stored: 32, runLengths: 64, packed: 128 } as const;

export interface TransformedCodec {
  /** For messages. */
  readonly name: string;
  /** Decodes what is left of the transforms: data of `size` bytes. */
  readonly decode: (cursor: ByteCursor, size: number, flags: number) => Uint8Array;
}

/**
 * Reads the flags and the size of coded data, decodes the data, or each of its stripes, and unpacks it. Throws `FormatError`
 * `INVALID_DATA` for another size, and for corrupt transforms.
 */
export function decodeTransformed(cursor: ByteCursor, size: number, codec: TransformedCodec): Uint8Array {
  const flags = cursor.readByte();
  if ((flags & FLAG.noSize) === 0 && cursor.readUint7() !== size) {
    throw cursor.invalid(`uncompressed size of ${codec.name} differs from that of the block`);
  }
  if ((flags & FLAG.stripe) !== 0) return decodeStripes(cursor, size, codec);
  if ((flags & FLAG.packed) === 0) return codec.decode(cursor, size, flags);
  const packing = readPacking(cursor, size);
  return unpack(codec.decode(cursor, packing.packedSize, flags), packing, { size, cursor });
}

/** How symbols are packed into bytes (CRAM codecs §3.5). */
interface Packing {
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
function readPacking(cursor: ByteCursor, size: number): Packing {
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
function unpack(
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

/**
 * Decodes stripes, and interleaves their bytes (CRAM codecs §3.6). Throws `FormatError` `INVALID_DATA` for nested stripes: no
 * writer makes them, and their nesting could be unbounded.
 */
function decodeStripes(cursor: ByteCursor, size: number, codec: TransformedCodec): Uint8Array {
  const count = cursor.readByte();
  if (count === 0) throw cursor.invalid('striped data has no stripes');
  const compressedSizes = Array.from({ length: count }, () => cursor.readUint7());
  const output = new Uint8Array(size);
  for (const [stripe, compressedSize] of compressedSizes.entries()) {
    const { offset } = cursor;
    const compressed = cursor.readBytes(compressedSize);
    if (((compressed[0] ?? 0) & FLAG.stripe) !== 0) throw cursor.invalid('stripes are nested');
    const stripeSize = Math.floor((size - stripe + count - 1) / count);
    const data = decodeTransformed(new ByteCursor(compressed, offset), stripeSize, codec);
    for (let at = 0; at < data.length; at++) output[stripe + at * count] = data[at] ?? 0;
  }
  return output;
}
