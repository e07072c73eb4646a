import type { ByteCursor } from '../byte-cursor.js';

/** Frequencies of the 256 symbols, and what a state of rANS is looked up by. */
export interface FrequencyTable {
  readonly frequencies: Uint16Array;
  /** The sum of the frequencies of all smaller symbols. */
  readonly cumulative: Uint16Array;
  /** The symbol of each value that the low bits of a state may have. */
  readonly symbols: Uint8Array;
}

/** Builds the table of frequencies that add up to at most 2^`bits`. Throws `FormatError` INVALID_DATA for more. */
export function createFrequencyTable(frequencies: Uint16Array, bits: number, cursor: ByteCursor): FrequencyTable {
  const symbols = new Uint8Array(2 ** bits);
  const cumulative = new Uint16Array(256);
  let sum = 0;
  for (let symbol = 0; symbol < 256; symbol++) {
    cumulative[symbol] = sum;
    const next = sum + (frequencies[symbol] ?? 0);
    if (next > symbols.length) throw cursor.invalid('the frequencies add up to too much');
    symbols.fill(symbol, sum, next);
    sum = next;
  }
  return { frequencies, cumulative, symbols };
}

/**
 * Reads symbols in ascending order (CRAM codecs §2.1): two that follow each other come with the number of those that
 * follow them. A zero ends the list.
 */
export function readSymbols(cursor: ByteCursor, visit: (symbol: number) => void): void {
  let run = 0;
  let last = -1;
  for (let symbol = cursor.readByte(); ; ) {
    if (symbol <= last) throw cursor.invalid('the symbols do not ascend');
    visit(symbol);
    last = symbol;
    if (run > 0) {
      run -= 1;
      symbol += 1;
      if (symbol > 255) throw cursor.invalid('a run of symbols goes beyond 255');
      continue;
    }
    symbol = cursor.readByte();
    if (symbol === 0) return;
    if (symbol === last + 1) run = cursor.readByte();
  }
}
