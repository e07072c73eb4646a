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

// A state takes a byte that it lacks without a branch, which would be predicted wrongly every few symbols.

/** Returns how many bytes a state lacks to be at least 2^15, by a word, or at least 2^23, by at most two bytes. */
// @inline
function missingBytes(state: u32, hasWords: bool): u32 {
  const isLow = u32(state < 0x8000);
  return hasWords ? isLow << 1 : isLow + u32(state < 0x800000);
}

/** Returns a state after it took the bytes that it lacks. That two bytes are missing is rare enough for a branch. */
// @inline
function takeBytes(state: u32, next: usize, hasWords: bool): u32 {
  if (hasWords) return select<u32>((state << 16) | <u32>load<u16>(next), state, state < 0x8000);
  if (state < 0x8000) return (state << 16) | ((<u32>load<u8>(next)) << 8) | <u32>load<u8>(next, 1);
  return select<u32>((state << 8) | <u32>load<u8>(next), state, state < 0x800000);
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
  if (stateCount == 4) {
    // Two copies of the loop, each for one kind of input.
    next = hasWords
      ? decodeFourByOrder0(table, next, end, output, size, bits, true)
      : decodeFourByOrder0(table, next, end, output, size, bits, false);
    output = outputEnd - (size & 3);
  }
  while (output < outputEnd && next <= end) {
    const rest = min(stateCount, outputEnd - output);
    for (let index: usize = 0; index < rest; index += 1) {
      const state = load<u32>(STATES + (index << 2));
      const step = load<u32>(table + ((state & mask) << 2));
      store<u8>(output + index, <u8>step);
      const after = advance(state, step, bits);
      const count = missingBytes(after, hasWords);
      store<u32>(STATES + (index << 2), takeBytes(after, next, hasWords));
      next += count;
    }
    output += rest;
  }
  return next;
}

/** As `decodeOrder0`, with four states that stay in registers: it takes half of the time. It leaves up to three last symbols. */
// @inline
function decodeFourByOrder0(
  table: usize,
  next: usize,
  end: usize,
  output: usize,
  size: usize,
  bits: i32,
  hasWords: bool,
): usize {
  const mask: u32 = (1 << bits) - 1;
  let a = load<u32>(STATES);
  let b = load<u32>(STATES, 4);
  let c = load<u32>(STATES, 8);
  let d = load<u32>(STATES, 12);
  let count: u32;
  for (const outputEnd = output + (size & ~3); output < outputEnd && next <= end; output += 4) {
    const stepA = load<u32>(table + ((a & mask) << 2));
    const stepB = load<u32>(table + ((b & mask) << 2));
    const stepC = load<u32>(table + ((c & mask) << 2));
    const stepD = load<u32>(table + ((d & mask) << 2));
    store<u8>(output, <u8>stepA);
    store<u8>(output, <u8>stepB, 1);
    store<u8>(output, <u8>stepC, 2);
    store<u8>(output, <u8>stepD, 3);
    a = advance(a, stepA, bits);
    count = missingBytes(a, hasWords);
    a = takeBytes(a, next, hasWords);
    next += count;
    b = advance(b, stepB, bits);
    count = missingBytes(b, hasWords);
    b = takeBytes(b, next, hasWords);
    next += count;
    c = advance(c, stepC, bits);
    count = missingBytes(c, hasWords);
    c = takeBytes(c, next, hasWords);
    next += count;
    d = advance(d, stepD, bits);
    count = missingBytes(d, hasWords);
    d = takeBytes(d, next, hasWords);
    next += count;
  }
  store<u32>(STATES, a);
  store<u32>(STATES, b, 4);
  store<u32>(STATES, c, 8);
  store<u32>(STATES, d, 12);
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
  if (stateCount == 4) {
    return hasWords
      ? decodeFourByOrder1(next, end, output, size, bits, true)
      : decodeFourByOrder1(next, end, output, size, bits, false);
  }
  const mask: u32 = (1 << bits) - 1;
  const part = size / stateCount;
  const length = size - part * (stateCount - 1);
  const first = load<u32>(DIRECTORY);
  for (let index: usize = 0; index < stateCount; index += 1) store<u32>(TABLES + (index << 2), first);
  for (let at: usize = 0; at < length && next <= end; at += 1) {
    for (let index: usize = at < part ? 0 : stateCount - 1; index < stateCount; index += 1) {
      const table = load<u32>(TABLES + (index << 2));
      if (table == 0) return 0;
      const state = load<u32>(STATES + (index << 2));
      const step = load<u32>(table + ((state & mask) << 2));
      store<u8>(output + index * part + at, <u8>step);
      store<u32>(TABLES + (index << 2), load<u32>(DIRECTORY + ((step & 0xff) << 2)));
      const after = advance(state, step, bits);
      const count = missingBytes(after, hasWords);
      store<u32>(STATES + (index << 2), takeBytes(after, next, hasWords));
      next += count;
    }
  }
  return next;
}

/** As `decodeOrder1`, with four states that stay in registers: it takes half of the time. */
// @inline
function decodeFourByOrder1(next: usize, end: usize, output: usize, size: usize, bits: i32, hasWords: bool): usize {
  const mask: u32 = (1 << bits) - 1;
  const part = size >> 2;
  let a = load<u32>(STATES);
  let b = load<u32>(STATES, 4);
  let c = load<u32>(STATES, 8);
  let d = load<u32>(STATES, 12);
  let tableA = load<u32>(DIRECTORY);
  let tableB = tableA;
  let tableC = tableA;
  let tableD = tableA;
  let count: u32;
  let at: usize = 0;
  for (; at < part && next <= end; at += 1) {
    if (tableA == 0 || tableB == 0 || tableC == 0 || tableD == 0) return 0;
    const stepA = load<u32>(tableA + ((a & mask) << 2));
    const stepB = load<u32>(tableB + ((b & mask) << 2));
    const stepC = load<u32>(tableC + ((c & mask) << 2));
    const stepD = load<u32>(tableD + ((d & mask) << 2));
    store<u8>(output + at, <u8>stepA);
    store<u8>(output + at + part, <u8>stepB);
    store<u8>(output + at + 2 * part, <u8>stepC);
    store<u8>(output + at + 3 * part, <u8>stepD);
    tableA = load<u32>(DIRECTORY + ((stepA & 0xff) << 2));
    tableB = load<u32>(DIRECTORY + ((stepB & 0xff) << 2));
    tableC = load<u32>(DIRECTORY + ((stepC & 0xff) << 2));
    tableD = load<u32>(DIRECTORY + ((stepD & 0xff) << 2));
    a = advance(a, stepA, bits);
    count = missingBytes(a, hasWords);
    a = takeBytes(a, next, hasWords);
    next += count;
    b = advance(b, stepB, bits);
    count = missingBytes(b, hasWords);
    b = takeBytes(b, next, hasWords);
    next += count;
    c = advance(c, stepC, bits);
    count = missingBytes(c, hasWords);
    c = takeBytes(c, next, hasWords);
    next += count;
    d = advance(d, stepD, bits);
    count = missingBytes(d, hasWords);
    d = takeBytes(d, next, hasWords);
    next += count;
  }
  // The last state decodes the remainder, too.
  for (at = 4 * part; at < size && next <= end; at += 1) {
    if (tableD == 0) return 0;
    const step = load<u32>(tableD + ((d & mask) << 2));
    store<u8>(output + at, <u8>step);
    tableD = load<u32>(DIRECTORY + ((step & 0xff) << 2));
    d = advance(d, step, bits);
    count = missingBytes(d, hasWords);
    d = takeBytes(d, next, hasWords);
    next += count;
  }
  return next;
}
