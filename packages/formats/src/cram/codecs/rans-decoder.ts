import type { ByteCursor } from '../byte-cursor.js';

/**
 * The decoding steps of rANS: for each value of the low bits of a state, the symbol (bits 0 to 7), the low bits minus the
 * cumulative frequency of the symbol (bits 8 to 19), and the frequency minus one (bits 20 to 31).
 */
export type RansTable = Uint32Array;

/** The variant of rANS. */
export interface RansVariant {
  /** The logarithm of the sum of the frequencies: the number of low bits that select a step. */
  readonly bits: number;
  /** States are kept at or above 2^23 by bytes, or at or above 2^15 by 16-bit words. */
  readonly hasWords: boolean;
  readonly stateCount: number;
}

/** States are below this bound. */
const STATE_LIMIT = 2 ** 31;

/** Creates the table of frequencies whose sum is at most 2^`bits`. Throws `FormatError` `INVALID_DATA` for a larger sum. */
export function createRansTable(frequencies: Uint16Array, bits: number, cursor: ByteCursor): RansTable {
  const table = new Uint32Array(2 ** bits);
  let at = 0;
  for (const [symbol, frequency] of frequencies.entries()) {
    if (at + frequency > table.length) throw cursor.invalid(`sum of frequencies is over ${table.length}`);
    const step = (frequency - 1) * 2 ** 20 + symbol;
    for (let bias = 0; bias < frequency; bias++) table[at + bias] = step + bias * 2 ** 8;
    at += frequency;
  }
  return table;
}

/** Decodes `size` symbols with one table; the states take turns. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. Hot. */
export function decodeRansOrder0(
  cursor: ByteCursor,
  table: RansTable,
  { size, ...variant }: RansVariant & { readonly size: number },
): Uint8Array {
  const { bits, hasWords, stateCount } = variant;
  const states = readStates(cursor, variant);
  const mask = 2 ** bits - 1;
  const { bytes } = cursor;
  let next = cursor.at;
  const output = new Uint8Array(size);
  for (let at = 0, index = 0; at < size; at++) {
    const state = states[index] ?? 0;
    const step = table[state & mask] ?? 0;
    output[at] = step;
    let after = Math.imul((step >>> 20) + 1, state >>> bits) + ((step >>> 8) & 0xfff);
    if (hasWords) {
      if (after < 2 ** 15) {
        after = (after << 16) | (bytes[next] ?? 0) | ((bytes[next + 1] ?? 0) << 8);
        next += 2;
      }
    } else if (after < 2 ** 23) {
      after = (after << 8) | (bytes[next++] ?? 0);
      if (after < 2 ** 23) after = (after << 8) | (bytes[next++] ?? 0);
    }
    states[index] = after;
    index = index + 1 === stateCount ? 0 : index + 1;
  }
  cursor.skip(next - cursor.at);
  return output;
}

/**
 * Decodes `size` symbols with the table of the preceding symbol, or that of 0. Each state decodes an equal part of the output,
 * the last one also the remainder. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. Hot.
 */
export function decodeRansOrder1(
  cursor: ByteCursor,
  tables: readonly (RansTable | undefined)[],
  { size, ...variant }: RansVariant & { readonly size: number },
): Uint8Array {
  const { bits, hasWords, stateCount } = variant;
  const states = readStates(cursor, variant);
  const symbols = new Uint8Array(stateCount);
  const mask = 2 ** bits - 1;
  const { bytes } = cursor;
  let next = cursor.at;
  const output = new Uint8Array(size);
  const part = Math.floor(size / stateCount);
  const remainder = size - part * stateCount;
  for (let at = 0; at < part + remainder; at++) {
    for (let index = at < part ? 0 : stateCount - 1; index < stateCount; index++) {
      const table = tables[symbols[index] ?? 0];
      if (table === undefined) throw cursor.invalid('symbol of rANS has no frequency table');
      const state = states[index] ?? 0;
      const step = table[state & mask] ?? 0;
      output[index * part + at] = step;
      symbols[index] = step;
      let after = Math.imul((step >>> 20) + 1, state >>> bits) + ((step >>> 8) & 0xfff);
      if (hasWords) {
        if (after < 2 ** 15) {
          after = (after << 16) | (bytes[next] ?? 0) | ((bytes[next + 1] ?? 0) << 8);
          next += 2;
        }
      } else if (after < 2 ** 23) {
        after = (after << 8) | (bytes[next++] ?? 0);
        if (after < 2 ** 23) after = (after << 8) | (bytes[next++] ?? 0);
      }
      states[index] = after;
    }
  }
  // Bytes past the end were read as zeros.
  cursor.skip(next - cursor.at);
  return output;
}

/** Reads the initial states. Steps keep them between their bounds. */
function readStates(cursor: ByteCursor, { hasWords, stateCount }: RansVariant): Int32Array {
  return Int32Array.from({ length: stateCount }, () => {
    const state = cursor.readUint32();
    if (state < (hasWords ? 2 ** 15 : 2 ** 23) || state >= STATE_LIMIT)
      throw cursor.invalid('state of rANS is invalid');
    return state;
  });
}
