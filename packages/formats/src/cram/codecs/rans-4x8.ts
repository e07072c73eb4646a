import type { ByteCursor } from '../byte-cursor.js';
import type { EntropyEngine, RansCode } from './engines/entropy-engine.js';

/**
 * Reads a list of ascending symbols (CRAM codecs §2.1). After two consecutive symbols follows the number of further consecutive
 * ones. A zero ends the list.
 */
export function readSymbols(cursor: ByteCursor, visit: (symbol: number) => void): void {
  let run = 0;
  let last = -1;
  for (let symbol = cursor.readByte(); ; ) {
    if (symbol <= last) throw cursor.invalid('symbols of a frequency table do not ascend');
    visit(symbol);
    last = symbol;
    if (run > 0) {
      run -= 1;
      symbol += 1;
      if (symbol > 255) throw cursor.invalid('run of symbols extends past 255');
      continue;
    }
    symbol = cursor.readByte();
    if (symbol === 0) return;
    if (symbol === last + 1) run = cursor.readByte();
  }
}

/** The sum of frequencies is at most 2^12. */
const BITS = 12;
const VARIANT = { bits: BITS, hasWords: false, stateCount: 4 } as const;

/** The output of decoding rANS data. */
export interface RansOutput extends Pick<RansCode, 'size' | 'output'> {
  readonly engine: EntropyEngine;
}

/**
 * Decodes rANS 4x8 data (CRAM codecs §2). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if it is corrupt or does not yield
 * `size` bytes.
 */
export function decodeRans4x8(cursor: ByteCursor, { size, engine, output }: RansOutput): Uint8Array {
  const order = cursor.readByte();
  const compressedSize = cursor.readUint32();
  if (compressedSize !== cursor.remaining - 4) {
    throw cursor.invalid('compressed size of rANS data differs from that of the block');
  }
  if (cursor.readUint32() !== size)
    throw cursor.invalid('uncompressed size of rANS data differs from that of the block');
  if (order === 0) return engine.decodeRans(cursor, { ...VARIANT, frequencies: readFrequencies(cursor), size, output });
  if (order !== 1) throw cursor.invalid(`unknown order ${order} of rANS`);
  const frequencies: (Uint16Array | undefined)[] = [];
  readSymbols(cursor, (symbol) => {
    frequencies[symbol] = readFrequencies(cursor);
  });
  return engine.decodeRans(cursor, { ...VARIANT, frequencies, size, output });
}

function readFrequencies(cursor: ByteCursor): Uint16Array {
  const frequencies = new Uint16Array(256);
  let sum = 0;
  readSymbols(cursor, (symbol) => {
    const frequency = cursor.readItf8();
    sum += frequency;
    if (frequency < 0 || sum > 2 ** BITS) throw cursor.invalid(`frequencies are not valid, or more than ${2 ** BITS}`);
    frequencies[symbol] = frequency;
  });
  return frequencies;
}
