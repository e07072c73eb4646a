import type { ByteCursor } from '../../byte-cursor.js';
import type { RansCode } from './entropy-engine.js';
import { readStates } from './initial-state.js';

/**
 * The decoding steps of rANS: for each value of the low bits of a state, the symbol (bits 0 to 7), the low bits minus the
 * cumulative frequency of the symbol (bits 8 to 19), and the frequency minus one (bits 20 to 31).
 */
type RansTable = Uint32Array;

type Variant = Omit<RansCode, 'frequencies'>;

/** Decodes rANS in JavaScript. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
export function decodeRans(cursor: ByteCursor, { frequencies, ...variant }: RansCode): Uint8Array {
  const create = (values: Uint16Array): RansTable => createTable(values, variant.bits);
  if (frequencies instanceof Uint16Array) return decodeOrder0(cursor, create(frequencies), variant);
  return decodeOrder1(
    cursor,
    Array.from(frequencies, (values) => values && create(values)),
    variant,
  );
}

function createTable(frequencies: Uint16Array, bits: number): RansTable {
  const table = new Uint32Array(2 ** bits);
  let at = 0;
  for (const [symbol, frequency] of frequencies.entries()) {
    const step = (frequency - 1) * 2 ** 20 + symbol;
    for (let bias = 0; bias < frequency; bias++) table[at + bias] = step + bias * 2 ** 8;
    at += frequency;
  }
  return table;
}

/** Decodes `size` symbols with one table; the states take turns. Hot. */
function decodeOrder0(cursor: ByteCursor, table: RansTable, variant: Variant): Uint8Array {
  const { bits, hasWords, stateCount, size } = variant;
  const states = readStates(cursor, variant);
  const mask = 2 ** bits - 1;
  const { bytes } = cursor;
  let next = cursor.at;
  const output = variant.output ?? new Uint8Array(size);
  // A byte past the end is read as zero.
  for (let at = 0, index = 0; at < size && next <= bytes.length; at++) {
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
 * the last one also the remainder. Hot.
 */
function decodeOrder1(cursor: ByteCursor, tables: readonly (RansTable | undefined)[], variant: Variant): Uint8Array {
  const { bits, hasWords, stateCount, size } = variant;
  const states = readStates(cursor, variant);
  const symbols = new Uint8Array(stateCount);
  const mask = 2 ** bits - 1;
  const { bytes } = cursor;
  let next = cursor.at;
  const output = variant.output ?? new Uint8Array(size);
  const part = Math.floor(size / stateCount);
  const remainder = size - part * stateCount;
  // Bytes past the end are read as zeros, at most once by each state.
  for (let at = 0; at < part + remainder && next <= bytes.length; at++) {
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
  cursor.skip(next - cursor.at);
  return output;
}
