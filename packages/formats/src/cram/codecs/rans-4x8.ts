import type { ByteCursor } from '../byte-cursor.js';
import { createFrequencyTable, type FrequencyTable, readSymbols } from './frequency-table.js';

/** The sum of frequencies is at most 2^12. */
const BITS = 12;
const MASK = 2 ** BITS - 1;
/** States are kept at or above this bound. */
const LOWER_BOUND = 2 ** 23;
const STATES = 4;

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
  if (order === 0) return decodeOrder0(cursor, size);
  if (order === 1) return decodeOrder1(cursor, size);
  throw cursor.invalid(`unknown order ${order} of rANS`);
}

function decodeOrder0(cursor: ByteCursor, size: number): Uint8Array {
  const table = readTable(cursor);
  const states = readStates(cursor);
  const output = new Uint8Array(size);
  for (let at = 0; at < size; at++) output[at] = decodeSymbol(cursor, states, at % STATES, table);
  return output;
}

/** Each state decodes a quarter of the output, the last one also the remainder. The preceding byte selects the table. */
function decodeOrder1(cursor: ByteCursor, size: number): Uint8Array {
  const tables: (FrequencyTable | undefined)[] = [];
  readSymbols(cursor, (symbol) => {
    tables[symbol] = readTable(cursor);
  });
  const states = readStates(cursor);
  const output = new Uint8Array(size);
  const quarter = Math.floor(size / STATES);
  for (let at = 0; at < quarter; at++) {
    for (let state = 0; state < STATES; state++) {
      const target = state * quarter + at;
      const table = tables[at === 0 ? 0 : (output[target - 1] ?? 0)];
      if (table === undefined) throw cursor.invalid('symbol of rANS has no frequency table');
      output[target] = decodeSymbol(cursor, states, state, table);
    }
  }
  for (let at = quarter * STATES; at < size; at++) {
    const table = tables[quarter === 0 && at === 0 ? 0 : (output[at - 1] ?? 0)];
    if (table === undefined) throw cursor.invalid('symbol of rANS has no frequency table');
    output[at] = decodeSymbol(cursor, states, STATES - 1, table);
  }
  return output;
}

function readTable(cursor: ByteCursor): FrequencyTable {
  const frequencies = new Uint16Array(256);
  readSymbols(cursor, (symbol) => {
    const frequency = cursor.readItf8();
    if (frequency < 0 || frequency > 2 ** BITS) throw cursor.invalid(`${frequency} is not a valid frequency`);
    frequencies[symbol] = frequency;
  });
  return createFrequencyTable(frequencies, BITS, cursor);
}

function readStates(cursor: ByteCursor): Uint32Array {
  return Uint32Array.from({ length: STATES }, () => cursor.readUint32());
}

/** Decodes a symbol with state `index`, which it advances. Hot. */
function decodeSymbol(cursor: ByteCursor, states: Uint32Array, index: number, table: FrequencyTable): number {
  const state = states[index] ?? 0;
  const low = state & MASK;
  const symbol = table.symbols[low] ?? 0;
  let next = (table.frequencies[symbol] ?? 0) * (state >>> BITS) + low - (table.cumulative[symbol] ?? 0);
  while (next < LOWER_BOUND) next = next * 256 + cursor.readByte();
  states[index] = next;
  return symbol;
}
