import { createCode, fillCode, findLong, type PrefixCode } from './prefix-code.js';

/** The result of the parts of `inflate` that succeed. */
const DONE = 0;
/** The results of `inflate` other than an offset. */
export const CORRUPT = -1;
/** The data yields more than the limit. Its beginning is in the output. */
export const TOO_LONG = -2;
/** The input ends before the final block does. */
export const INCOMPLETE = -3;

/** Inflated data, in memory that grows up to a limit. */
export interface InflateOutput {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
  /** Most bytes. */
  readonly limit: number;
}

const END_OF_BLOCK = 256;
const MAX_LITERALS = 286;
const MAX_DISTANCES = 30;
const FIRST_LENGTH = 3;
const MIN_GROWN_LENGTH = 65536;
/** The order of the lengths of the code for code lengths (RFC 1951 §3.2.7). */
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Bases and extra bits of the lengths 257 to 285 and of the distances (RFC 1951 §3.2.5). */
const lengthExtra = Uint8Array.from({ length: 29 }, (_, code) => (code < 4 || code === 28 ? 0 : (code >> 2) - 1));
const distanceExtra = Uint8Array.from({ length: MAX_DISTANCES }, (_, code) => Math.max(0, (code >> 1) - 1));
const lengthBase = toBases(lengthExtra, FIRST_LENGTH);
const distanceBase = toBases(distanceExtra, 1);
// Code 285 is the length 258, which code 284 would reach as well.
lengthBase[28] = 258;

function toBases(extra: Uint8Array, first: number): Uint16Array {
  const bases = new Uint16Array(extra.length);
  let base = first;
  for (const [code, bits] of extra.entries()) {
    bases[code] = base;
    base += 2 ** bits;
  }
  return bases;
}

// Kept, because creating codes takes longer than filling them.
const codeLengths = createCode();
const dynamicCodes = { literals: createCode(), distances: createCode() };
/** The codes of RFC 1951 §3.2.6. */
const fixedCodes = { literals: createCode(), distances: createCode() };
fillCode(fixedCodes.literals, new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280), false);
fillCode(fixedCodes.distances, new Uint8Array(32).fill(5), false);

const lengths = new Uint8Array(MAX_LITERALS + MAX_DISTANCES + 2);

/** The input from a byte on, which moves on so that positions are 32-bit integers whatever the length of the input. */
interface Input {
  bytes: Uint8Array;
  /** In bits. */
  position: number;
}

/** The end of longer input, in bits. */
const MAX_POSITION = 2 ** 24;

/** Lets the input begin at the position if that is high. Returns whether it is. */
function moveOn(input: Input): boolean {
  if (input.position < MAX_POSITION / 2) return false;
  input.bytes = input.bytes.subarray(input.position >>> 3);
  input.position &= 7;
  return true;
}

/** Returns the position after the input, or after as much of it as positions reach. */
function endOf(bytes: Uint8Array): number {
  return Math.min(bytes.length * 8, MAX_POSITION);
}

/** Reads an element that exists. Beyond the end, operators treat the result as 0. */
function at(array: Uint8Array | Uint16Array, index: number): number {
  return array[index] as number;
}

/** Returns the 17 or more bits that begin at a position. Beyond the input they are 0. */
function peek(bytes: Uint8Array, position: number): number {
  const byte = position >>> 3;
  return (at(bytes, byte) | (at(bytes, byte + 1) << 8) | (at(bytes, byte + 2) << 16)) >>> (position & 7);
}

/**
 * Inflates raw DEFLATE data (RFC 1951) and appends it to the output. Returns the offset after the final block, or CORRUPT,
 * TOO_LONG or INCOMPLETE.
 */
export function inflate(bytes: Uint8Array, output: InflateOutput): number {
  const input: Input = { bytes, position: 0 };
  const block = { codes: fixedCodes, output, start: output.length };
  for (;;) {
    moveOn(input);
    const header = peek(input.bytes, input.position);
    input.position += 3;
    if (input.position > endOf(input.bytes)) return INCOMPLETE;
    const type = (header >> 1) & 3;
    let result = type === 3 ? CORRUPT : type === 2 ? readCodes(input) : DONE;
    block.codes = type === 2 ? dynamicCodes : fixedCodes;
    if (result === DONE) result = type === 0 ? copyStored(input, output) : inflateBlock(input, block);
    if (result !== DONE) return result;
    if ((header & 1) === 1) return bytes.length - input.bytes.length + ((input.position + 7) >>> 3);
  }
}

function copyStored(input: Input, output: InflateOutput): number {
  const { bytes, position } = input;
  const from = ((position + 7) >>> 3) + 4;
  if (from > bytes.length) return INCOMPLETE;
  const length = at(bytes, from - 4) | (at(bytes, from - 3) << 8);
  if (length !== (~(at(bytes, from - 2) | (at(bytes, from - 1) << 8)) & 0xffff)) return CORRUPT;
  const part = bytes.subarray(from, from + length);
  const fits = grow(output, part.length);
  const kept = fits ? part : part.subarray(0, output.limit - output.length);
  output.bytes.set(kept, output.length);
  output.length += kept.length;
  input.position = (from + length) * 8;
  if (!fits) return TOO_LONG;
  return part.length < length ? INCOMPLETE : DONE;
}

/** Reads the codes of a block (RFC 1951 §3.2.7). Returns DONE, CORRUPT or INCOMPLETE. */
function readCodes(input: Input): number {
  const { bytes } = input;
  const end = endOf(bytes);
  let { position } = input;
  const sizes = peek(bytes, position);
  const literalCount = (sizes & 31) + 257;
  const distanceCount = ((sizes >> 5) & 31) + 1;
  const lengthCount = ((sizes >> 10) & 15) + 4;
  position += 14;
  if (literalCount > MAX_LITERALS || distanceCount > MAX_DISTANCES) return position > end ? INCOMPLETE : CORRUPT;
  const orders = new Uint8Array(CODE_ORDER.length);
  for (const symbol of CODE_ORDER.slice(0, lengthCount)) {
    orders[symbol] = peek(bytes, position) & 7;
    position += 3;
  }
  if (position > end) return INCOMPLETE;
  if (!fillCode(codeLengths, orders, false)) return CORRUPT;
  const total = literalCount + distanceCount;
  for (let count = 0; count < total; ) {
    const entry = at(codeLengths.table, peek(bytes, position) & codeLengths.mask);
    const symbol = entry >> 4;
    position += entry & 15;
    let repeats = 1;
    let value = symbol;
    if (symbol > 15) {
      const [base, extra] = symbol === 16 ? [3, 2] : symbol === 17 ? [3, 3] : [11, 7];
      repeats = base + (peek(bytes, position) & ((1 << extra) - 1));
      position += extra;
      if (symbol === 16 && count === 0) return CORRUPT;
      value = symbol === 16 ? at(lengths, count - 1) : 0;
    }
    if (position > end) return INCOMPLETE;
    if (count + repeats > total) return CORRUPT;
    lengths.fill(value, count, count + repeats);
    count += repeats;
  }
  const isValid =
    lengths[END_OF_BLOCK] !== 0 &&
    fillCode(dynamicCodes.literals, lengths.subarray(0, literalCount), true) &&
    fillCode(dynamicCodes.distances, lengths.subarray(literalCount, total), true);
  input.position = position;
  return isValid ? DONE : CORRUPT;
}

interface Block {
  codes: { readonly literals: PrefixCode; readonly distances: PrefixCode };
  readonly output: InflateOutput;
  /** The length of the output before the data, to which distances may not reach back. */
  readonly start: number;
}

/** Inflates a block of compressed data. Returns DONE, CORRUPT, TOO_LONG or INCOMPLETE. */
function inflateBlock(input: Input, block: Block): number {
  for (;;) {
    const result = inflateSymbols(input, block);
    if (result !== INCOMPLETE || !moveOn(input)) return result;
  }
}

/** Inflates symbols up to the end of the block, or to the last whole one before the end of the input: INCOMPLETE. */
function inflateSymbols(input: Input, { codes: { literals, distances }, output, start }: Block): number {
  const { table: literalTable, mask: literalMask } = literals;
  const { table: distanceTable, mask: distanceMask } = distances;
  const { bytes: data } = input;
  const end = endOf(data);
  let { position } = input;
  let { bytes, length: out } = output;
  let from = position;
  for (;;) {
    from = position;
    let bits = peek(data, position);
    let entry = at(literalTable, bits & literalMask);
    if (entry === 0) entry = findLong(literals, bits);
    position += entry & 15;
    if (position > end) break;
    const symbol = entry >> 4;
    if (symbol < END_OF_BLOCK) {
      if (out === bytes.length) {
        output.length = out;
        if (!grow(output, 1)) return TOO_LONG;
        bytes = output.bytes;
      }
      bytes[out] = symbol;
      out += 1;
      continue;
    }
    if (symbol === END_OF_BLOCK) {
      output.length = out;
      input.position = position;
      return DONE;
    }
    const code = symbol - 257;
    const extra = at(lengthExtra, code);
    let length = at(lengthBase, code) + (peek(data, position) & ((1 << extra) - 1));
    position += extra;
    bits = peek(data, position);
    entry = at(distanceTable, bits & distanceMask);
    if (entry === 0) entry = findLong(distances, bits);
    position += entry & 15;
    const distanceCode = entry >> 4;
    if (position > end) break;
    if (distanceCode >= MAX_DISTANCES || code >= lengthBase.length) return CORRUPT;
    const distanceBits = at(distanceExtra, distanceCode);
    const distance = at(distanceBase, distanceCode) + (peek(data, position) & ((1 << distanceBits) - 1));
    position += distanceBits;
    if (position > end) break;
    if (distance > out - start) return CORRUPT;
    let isWhole = true;
    if (out + length > bytes.length) {
      output.length = out;
      isWhole = grow(output, length);
      bytes = output.bytes;
      if (!isWhole) length = output.limit - out;
    }
    for (const last = out + length; out < last; out += 1) bytes[out] = at(bytes, out - distance);
    if (isWhole) continue;
    output.length = out;
    return TOO_LONG;
  }
  input.position = from;
  output.length = out;
  return INCOMPLETE;
}

/** Makes room for further bytes, or for as many as the limit allows. Returns whether there is room for all of them. */
function grow(output: InflateOutput, count: number): boolean {
  const { bytes, length, limit } = output;
  const needed = length + count;
  if (bytes.length < Math.min(needed, limit)) {
    output.bytes = new Uint8Array(Math.min(limit, Math.max(needed, bytes.length * 2, MIN_GROWN_LENGTH)));
    output.bytes.set(bytes.subarray(0, length));
  }
  return needed <= limit;
}
