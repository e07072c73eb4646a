// rANS (CRAM codecs §2 and §3). JavaScript reads and checks the frequencies and the initial states.
import { allocate } from './memory';

/** States of 32 bits, and for each the table that its next symbol is decoded with; written by JavaScript and by the loops. */
export const STATES: usize = memory.data(32 * 4, 16);
const TABLES: usize = memory.data(32 * 4, 16);

/** 256 frequencies of 16 bits, written by JavaScript. */
export const FREQUENCIES: usize = memory.data(256 * 2, 16);

/** For each symbol, the table of the symbol that follows it, or 0; written by JavaScript. */
export const DIRECTORY: usize = memory.data(256 * 4, 16);

/** Bytes that the loops may read beyond the end of the input: a word for each state. */
export const READ_AHEAD: i32 = 64;

/**
 * Creates a table of `FREQUENCIES`, whose sum is at most 2^`bits`. For each value of the low bits of a state it has the symbol
 * (bits 0 to 7), the low bits minus the cumulative frequency (8 to 19), and the frequency minus one (20 to 31).
 */
export function createTable(bits: i32): usize {
  const length = (<usize>4) << bits;
  const table = allocate(length);
  let at = table;
  for (let symbol: u32 = 0; symbol < 256; symbol += 1) {
    const frequency = <u32>load<u16>(FREQUENCIES + (symbol << 1));
    let step = ((frequency - 1) << 20) + symbol;
    for (const end = at + (frequency << 2); at < end; at += 4) {
      store<u32>(at, step);
      step += 256;
    }
  }
  memory.fill(at, 0, table + length - at);
  return table;
}

/** Returns the state after a step, before it takes more of the input. */
// @inline
function advance(state: u32, step: u32, bits: i32): u32 {
  return ((step >>> 20) + 1) * (state >>> bits) + ((step >>> 8) & 0xfff);
}

/** Returns how much of the input a state takes after a step, in bytes: up to two, or one word. */
// @inline
function countTaken(state: u32, hasWords: bool): u32 {
  return hasWords ? (<u32>(state < 0x8000)) << 1 : <u32>(state < 0x800000) + <u32>(state < 0x8000);
}

/** Returns a state after it took `count` bytes of the input at `next`. Words are little-endian. It has no branch to mispredict. */
// @inline
function take(state: u32, next: usize, count: u32, hasWords: bool): u32 {
  const word: u32 = load<u16>(next);
  const bytes = hasWords ? word : ((word & 0xff) << 8) | (word >>> 8);
  return (state << (count << 3)) | (bytes >>> (16 - (count << 3)));
}

/**
 * Decodes `size` symbols with one table; the states take turns. Returns the address after the last byte that was used, which is
 * past `end` if the input is incomplete.
 */
export function decodeOrder0(
  table: usize,
  next: usize,
  end: usize,
  output: usize,
  size: usize,
  bits: i32,
  hasWords: bool,
  stateCount: usize,
): usize {
  const mask: u32 = (1 << bits) - 1;
  const outputEnd = output + size;
  while (output < outputEnd && next <= end) {
    const count = min(stateCount, outputEnd - output);
    for (let index: usize = 0; index < count; index += 1) {
      const state = load<u32>(STATES + (index << 2));
      const step = load<u32>(table + ((state & mask) << 2));
      store<u8>(output + index, <u8>step);
      const after = advance(state, step, bits);
      const taken = countTaken(after, hasWords);
      store<u32>(STATES + (index << 2), take(after, next, taken, hasWords));
      next += taken;
    }
    output += count;
  }
  return next;
}

/**
 * Decodes `size` symbols with the table of the preceding symbol, or that of 0. Each state decodes an equal part of the output,
 * the last one also the remainder. Returns what `decodeOrder0` returns, or 0 if a symbol has no table.
 */
export function decodeOrder1(
  next: usize,
  end: usize,
  output: usize,
  size: usize,
  bits: i32,
  hasWords: bool,
  stateCount: usize,
): usize {
  const part = size / stateCount;
  for (let index: usize = 0; index < stateCount; index += 1) {
    store<u32>(TABLES + (index << 2), load<u32>(DIRECTORY));
  }
  if (stateCount == 4) {
    // Two copies of the loop, each for one kind of input.
    if (hasWords) next = decodeFour(next, end, output, part, bits, true);
    else next = decodeFour(next, end, output, part, bits, false);
  } else next = decodeParts(next, end, output, part, part, 0, stateCount, bits, hasWords);
  if (next == 0) return 0;
  const last = stateCount - 1;
  return decodeParts(next, end, output + part, part, size - part * stateCount, last, stateCount, bits, hasWords);
}

/** Decodes the next `length` symbols of the states from `first` on, whose outputs are `part` bytes apart. */
function decodeParts(
  next: usize,
  end: usize,
  output: usize,
  part: usize,
  length: usize,
  first: usize,
  stateCount: usize,
  bits: i32,
  hasWords: bool,
): usize {
  const mask: u32 = (1 << bits) - 1;
  for (let at: usize = 0; at < length && next <= end; at += 1) {
    for (let index = first; index < stateCount; index += 1) {
      const table = load<u32>(TABLES + (index << 2));
      if (table == 0) return 0;
      const state = load<u32>(STATES + (index << 2));
      const step = load<u32>(table + ((state & mask) << 2));
      store<u8>(output + index * part + at, <u8>step);
      store<u32>(TABLES + (index << 2), load<u32>(DIRECTORY + ((step & 0xff) << 2)));
      const after = advance(state, step, bits);
      const taken = countTaken(after, hasWords);
      store<u32>(STATES + (index << 2), take(after, next, taken, hasWords));
      next += taken;
    }
  }
  return next;
}

/** Does what `decodeParts` does for four states, which stay in registers. */
// @inline
function decodeFour(next: usize, end: usize, output: usize, part: usize, bits: i32, hasWords: bool): usize {
  const mask: u32 = (1 << bits) - 1;
  let state0 = load<u32>(STATES);
  let state1 = load<u32>(STATES + 4);
  let state2 = load<u32>(STATES + 8);
  let state3 = load<u32>(STATES + 12);
  let table0 = load<u32>(TABLES);
  let table1 = load<u32>(TABLES + 4);
  let table2 = load<u32>(TABLES + 8);
  let table3 = load<u32>(TABLES + 12);
  for (let at: usize = 0; at < part && next <= end; at += 1) {
    if (table0 == 0 || table1 == 0 || table2 == 0 || table3 == 0) return 0;
    const step0 = load<u32>(table0 + ((state0 & mask) << 2));
    const step1 = load<u32>(table1 + ((state1 & mask) << 2));
    const step2 = load<u32>(table2 + ((state2 & mask) << 2));
    const step3 = load<u32>(table3 + ((state3 & mask) << 2));
    store<u8>(output + at, <u8>step0);
    store<u8>(output + part + at, <u8>step1);
    store<u8>(output + 2 * part + at, <u8>step2);
    store<u8>(output + 3 * part + at, <u8>step3);
    table0 = load<u32>(DIRECTORY + ((step0 & 0xff) << 2));
    table1 = load<u32>(DIRECTORY + ((step1 & 0xff) << 2));
    table2 = load<u32>(DIRECTORY + ((step2 & 0xff) << 2));
    table3 = load<u32>(DIRECTORY + ((step3 & 0xff) << 2));
    state0 = advance(state0, step0, bits);
    state1 = advance(state1, step1, bits);
    state2 = advance(state2, step2, bits);
    state3 = advance(state3, step3, bits);
    const taken0 = countTaken(state0, hasWords);
    const taken1 = countTaken(state1, hasWords);
    const taken2 = countTaken(state2, hasWords);
    const taken3 = countTaken(state3, hasWords);
    state0 = take(state0, next, taken0, hasWords);
    next += taken0;
    state1 = take(state1, next, taken1, hasWords);
    next += taken1;
    state2 = take(state2, next, taken2, hasWords);
    next += taken2;
    state3 = take(state3, next, taken3, hasWords);
    next += taken3;
  }
  store<u32>(STATES, state0);
  store<u32>(STATES + 4, state1);
  store<u32>(STATES + 8, state2);
  store<u32>(STATES + 12, state3);
  store<u32>(TABLES, table0);
  store<u32>(TABLES + 4, table1);
  store<u32>(TABLES + 8, table2);
  store<u32>(TABLES + 12, table3);
  return next;
}
