import type { ByteCursor } from '../byte-cursor.js';
import { decodeBzip2 } from './bzip2.js';
import type { EntropyEngine, ModelsId, RangeCoder } from './engines/entropy-engine.js';
import { decodeTransformed, FLAG } from './transforms.js';

/** The flag of data that bzip2 compressed (CRAM codecs §4.3). */
const EXTERNAL = 4;

/** A run length is the sum of parts of 0 to 3. A part of 3 is followed by another. */
const RUN_SYMBOLS = 4;
/** The contexts of the second part and of further ones. The context of the first part is the symbol. */
const SECOND_PART = 256;
const FURTHER_PART = 257;

/**
 * Decodes data of the adaptive arithmetic coder (CRAM codecs §4). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if it is
 * corrupt or does not yield `size` bytes.
 */
export function decodeArithmetic(cursor: ByteCursor, size: number, engine: EntropyEngine): Uint8Array {
  return decodeTransformed(cursor, size, {
    name: 'the arithmetic coder',
    decode: (coded, codedSize, flags) => decodeEntropy(coded, { flags, engine, size: codedSize }),
  });
}

interface Entropy {
  readonly flags: number;
  readonly engine: EntropyEngine;
  readonly size: number;
}

function decodeEntropy(cursor: ByteCursor, { flags, engine, size }: Entropy): Uint8Array {
  if ((flags & FLAG.stored) !== 0) return cursor.readBytes(size);
  if (size === 0) return new Uint8Array(0);
  if ((flags & EXTERNAL) !== 0) return decodeBzip2(cursor, size);
  const symbolCount = cursor.readByte() || 256;
  const isOrder1 = (flags & FLAG.order1) !== 0;
  const coder = engine.createRangeCoder(cursor);
  // The contexts of order 1 are the preceding byte.
  const models = coder.createModels(symbolCount, isOrder1 ? 256 : 1);
  if ((flags & FLAG.runLengths) === 0) return coder.decodeSymbols(models, { size, isOrder1 });
  return decodeRuns(cursor, { coder, models, isOrder1, size });
}

interface CodedRuns {
  readonly coder: RangeCoder;
  readonly models: ModelsId;
  readonly isOrder1: boolean;
  readonly size: number;
}

function decodeRuns(cursor: ByteCursor, { coder, models, isOrder1, size }: CodedRuns): Uint8Array {
  const output = new Uint8Array(size);
  const runModels = coder.createModels(RUN_SYMBOLS, FURTHER_PART + 1);
  let symbol = 0;
  for (let at = 0; at < size; ) {
    symbol = coder.decodeSymbol(models, isOrder1 ? symbol : 0);
    let part = coder.decodeSymbol(runModels, symbol);
    let end = at + 1 + part;
    for (let context = SECOND_PART; part === RUN_SYMBOLS - 1 && end <= size; context = FURTHER_PART) {
      part = coder.decodeSymbol(runModels, context);
      end += part;
    }
    if (end > size) throw cursor.invalid('runs of the arithmetic coder are longer than the block');
    output.fill(symbol, at, end);
    at = end;
  }
  return output;
}
