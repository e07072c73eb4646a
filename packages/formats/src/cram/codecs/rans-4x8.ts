import type { ByteCursor } from '../byte-cursor.js';

/** The frequencies of the 256 symbols, and the look-up tables of a rANS decoder. */
export interface FrequencyTable {
  readonly frequencies: Uint16Array;
  /** For each symbol, the sum of the frequencies of all smaller symbols. */
  readonly cumulative: Uint16Array;
  /** The symbol of each value of the low bits of a state. */
  readonly symbols: Uint8Array;
}

/** Creates the tables of frequencies whose sum is at most 2^`bits`. Throws `FormatError` `INVALID_DATA` for a larger sum. */
export function createFrequencyTable(frequencies: Uint16Array, bits: number, cursor: ByteCursor): FrequencyTable {
  const symbols = new Uint8Array(2 ** bits);
  const cumulative = new Uint16Array(256);
  let sum = 0;
  for (let symbol = 0; symbol < 256; symbol++) {
    cumulative[symbol] = sum;
    const next = sum + (frequencies[symbol] ?? 0);
    if (next > symbols.length) throw cursor.invalid(`sum of frequencies is over ${symbols.length}`);
    symbols.fill(symbol, sum, next);
    sum = next;
  }
  return { frequencies, cumulative, symbols };
}

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
