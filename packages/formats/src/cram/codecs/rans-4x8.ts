import type { ByteCursor } from '../byte-cursor.js';
import { createRansTable, decodeRansOrder0, decodeRansOrder1, type RansTable } from './rans-decoder.js';

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

/**
 * Decodes rANS 4x8 data (CRAM codecs §2). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if it is corrupt or does not yield
 * `size` bytes.
 */
export function decodeRans4x8(cursor: ByteCursor, size: number): Uint8Array {
  const order = cursor.readByte();
  const compressedSize = cursor.readUint32();
  if (compressedSize !== cursor.remaining - 4) {
    throw cursor.invalid('compressed size of rANS data differs from that of the block');
  }
  if (cursor.readUint32() !== size)
    throw cursor.invalid('uncompressed size of rANS data differs from that of the block');
  if (order === 0) return decodeRansOrder0(cursor, readTable(cursor), { ...VARIANT, size });
  if (order !== 1) throw cursor.invalid(`unknown order ${order} of rANS`);
  const tables: (RansTable | undefined)[] = [];
  readSymbols(cursor, (symbol) => {
    tables[symbol] = readTable(cursor);
  });
  return decodeRansOrder1(cursor, tables, { ...VARIANT, size });
}

function readTable(cursor: ByteCursor): RansTable {
  const frequencies = new Uint16Array(256);
  readSymbols(cursor, (symbol) => {
    const frequency = cursor.readItf8();
    if (frequency < 0 || frequency > 2 ** BITS) throw cursor.invalid(`${frequency} is not a valid frequency`);
    frequencies[symbol] = frequency;
  });
  return createRansTable(frequencies, BITS, cursor);
}
