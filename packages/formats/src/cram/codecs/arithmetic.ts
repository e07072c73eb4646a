import type { ByteCursor } from '../byte-cursor.js';
import { decodeBzip2 } from './bzip2.js';
import { RangeDecoder, SymbolModels } from './range-decoder.js';
import { decodeStripes, readPacking, unpack } from './transforms.js';

/** The flags of the first byte (CRAM codecs §4.3). */
const FLAG = { order1: 1, external: 4, stripe: 8, noSize: 16, stored: 32, runLengths: 64, packed: 128 } as const;

/** A run length is the sum of parts of 0 to 3. A part of 3 is followed by another. */
const RUN_SYMBOLS = 4;
/** The contexts of the second part and of further ones. The context of the first part is the symbol. */
const SECOND_PART = 256;
const FURTHER_PART = 257;

/**
 * Decodes data of the adaptive arithmetic coder (CRAM codecs §4). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if it is
 * corrupt or does not yield `size` bytes.
 */
export function decodeArithmetic(cursor: ByteCursor, size: number): Uint8Array {
  const flags = cursor.readByte();
  if ((flags & FLAG.noSize) === 0 && cursor.readUint7() !== size) {
    throw cursor.invalid('uncompressed size of the arithmetic coder differs from that of the block');
  }
  if ((flags & FLAG.stripe) !== 0) {
    return decodeStripes(cursor, { size, stripeFlag: FLAG.stripe, decode: decodeArithmetic });
  }
  if ((flags & FLAG.packed) === 0) return decodeEntropy(cursor, flags, size);
  const packing = readPacking(cursor, size);
  return unpack(decodeEntropy(cursor, flags, packing.packedSize), packing, { size, cursor });
}

function decodeEntropy(cursor: ByteCursor, flags: number, size: number): Uint8Array {
  if ((flags & FLAG.stored) !== 0) return cursor.readBytes(size);
  if (size === 0) return new Uint8Array(0);
  if ((flags & FLAG.external) !== 0) return decodeBzip2(cursor, size);
  const symbolCount = cursor.readByte() || 256;
  const isOrder1 = (flags & FLAG.order1) !== 0;
  // The contexts of order 1 are the preceding byte.
  const coded = { models: new SymbolModels(symbolCount, isOrder1 ? 256 : 1), isOrder1, size };
  const decoder = new RangeDecoder(cursor);
  return (flags & FLAG.runLengths) === 0 ? decodeSymbols(decoder, coded) : decodeRuns(decoder, coded);
}

interface Coded {
  readonly models: SymbolModels;
  readonly isOrder1: boolean;
  readonly size: number;
}

function decodeSymbols(decoder: RangeDecoder, { models, isOrder1, size }: Coded): Uint8Array {
  const output = new Uint8Array(size);
  let symbol = 0;
  for (let at = 0; at < size; at++) {
    symbol = models.decode(decoder, isOrder1 ? symbol : 0);
    output[at] = symbol;
  }
  return output;
}

function decodeRuns(decoder: RangeDecoder, { models, isOrder1, size }: Coded): Uint8Array {
  const output = new Uint8Array(size);
  const runModels = new SymbolModels(RUN_SYMBOLS, FURTHER_PART + 1);
  let symbol = 0;
  for (let at = 0; at < size; ) {
    symbol = models.decode(decoder, isOrder1 ? symbol : 0);
    let part = runModels.decode(decoder, symbol);
    let end = at + 1 + part;
    for (let context = SECOND_PART; part === RUN_SYMBOLS - 1 && end <= size; context = FURTHER_PART) {
      part = runModels.decode(decoder, context);
      end += part;
    }
    if (end > size) throw decoder.cursor.invalid('runs of the arithmetic coder are longer than the block');
    output.fill(symbol, at, end);
    at = end;
  }
  return output;
}
