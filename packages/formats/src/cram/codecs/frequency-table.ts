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
