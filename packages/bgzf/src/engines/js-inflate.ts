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

/** Positions are counted in bits, as 32-bit integers. */
export const MAX_INPUT_LENGTH: number = 2 ** 28;

const END_OF_BLOCK = 256;
const MAX_LITERALS = 286;
const MAX_DISTANCES = 30;
const MAX_CODE_LENGTH = 15;
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

/** A prefix code. An entry of the table is `symbol << 4 | length`, and `UNUSED` for bits that are not a code. */
interface Code {
  readonly table: Uint16Array;
  /** The number of bits that index the table. */
  bits: number;
}

/** A symbol that neither literals nor distances have. */
const UNUSED = (287 << 4) | 1;

const createCode = (): Code => ({ table: new Uint16Array(2 ** MAX_CODE_LENGTH), bits: 0 });
// Kept, because clearing new tables for each block would take longer than filling them.
const [codeLengths, literals, distances] = [createCode(), createCode(), createCode()];

const lengths = new Uint8Array(MAX_LITERALS + MAX_DISTANCES + 2);
const counts = new Uint16Array(MAX_CODE_LENGTH + 1);
const nextCodes = new Uint16Array(MAX_CODE_LENGTH + 2);

/** Fills the table of a code from the lengths of its symbols (RFC 1951 §3.2.2). Returns false if they are not those of one. */
function fillCode(code: Code, symbolLengths: Uint8Array, isPartial: boolean): boolean {
  counts.fill(0);
  for (const length of symbolLengths) counts[length] = at(counts, length) + 1;
  counts[0] = 0;
  let bits = MAX_CODE_LENGTH;
  while (bits > 0 && counts[bits] === 0) bits -= 1;
  let free = 1;
  let next = 0;
  for (let length = 1; length <= bits; length += 1) {
    free = free * 2 - at(counts, length);
    next = (next + at(counts, length - 1)) << 1;
    nextCodes[length] = next;
    if (free < 0) return false;
  }
  // As in zlib, a code of one symbol has one bit, half of whose values are unused.
  if (free > 0 && !(isPartial && bits <= 1)) return false;
  const { table } = code;
  const size = 1 << bits;
  code.bits = bits;
  if (free > 0) table.fill(UNUSED, 0, size);
  for (let symbol = 0; symbol < symbolLengths.length; symbol += 1) {
    const length = at(symbolLengths, symbol);
    if (length === 0) continue;
    const value = at(nextCodes, length);
    nextCodes[length] = value + 1;
    const entry = (symbol << 4) | length;
    for (let index = reverse(value, length); index < size; index += 1 << length) table[index] = entry;
  }
  return true;
}

/** Reverses the lowest bits of a number: codes begin with their highest bit. */
function reverse(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit += 1) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/** Reads an element that exists. Beyond the end, operators treat the result as 0. */
function at(array: Uint8Array | Uint16Array, index: number): number {
  return array[index] as number;
}

/** Returns the 17 or more bits that begin at a position. Beyond the input they are 0. */
function peek(input: Uint8Array, position: number): number {
  const byte = position >>> 3;
  return (at(input, byte) | (at(input, byte + 1) << 8) | (at(input, byte + 2) << 16)) >>> (position & 7);
}

/**
 * Inflates raw DEFLATE data (RFC 1951) and appends it to the output. Returns the offset after the final block, or CORRUPT,
 * TOO_LONG or INCOMPLETE. The input has at most `MAX_INPUT_LENGTH` bytes.
 */
export function inflate(input: Uint8Array, output: InflateOutput): number {
  const start = output.length;
  const end = input.length * 8;
  let position = 0;
  for (;;) {
    const header = peek(input, position);
    position += 3;
    if (position > end) return INCOMPLETE;
    const type = (header >> 1) & 3;
    if (type === 3) return CORRUPT;
    if (type === 0) position = copyStored(input, position, output);
    else {
      if (type === 1) fillFixedCodes();
      else position = readCodes(input, position);
      if (position >= 0) position = inflateBlock(input, position, { output, start });
    }
    if (position < 0) return position;
    if ((header & 1) === 1) return (position + 7) >>> 3;
  }
}

function copyStored(input: Uint8Array, position: number, output: InflateOutput): number {
  const from = ((position + 7) >>> 3) + 4;
  if (from > input.length) return INCOMPLETE;
  const length = at(input, from - 4) | (at(input, from - 3) << 8);
  if (length !== (~(at(input, from - 2) | (at(input, from - 1) << 8)) & 0xffff)) return CORRUPT;
  const part = input.subarray(from, from + length);
  const fits = grow(output, part.length);
  const kept = fits ? part : part.subarray(0, output.limit - output.length);
  output.bytes.set(kept, output.length);
  output.length += kept.length;
  if (!fits) return TOO_LONG;
  return part.length < length ? INCOMPLETE : (from + length) * 8;
}

function fillFixedCodes(): void {
  const fixed = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  fillCode(literals, fixed, false);
  fillCode(distances, new Uint8Array(32).fill(5), false);
}

/** Reads the codes of a block (RFC 1951 §3.2.7). Returns the position after them, CORRUPT or INCOMPLETE. */
function readCodes(input: Uint8Array, start: number): number {
  const end = input.length * 8;
  const sizes = peek(input, start);
  const literalCount = (sizes & 31) + 257;
  const distanceCount = ((sizes >> 5) & 31) + 1;
  const lengthCount = ((sizes >> 10) & 15) + 4;
  let position = start + 14;
  if (literalCount > MAX_LITERALS || distanceCount > MAX_DISTANCES) return position > end ? INCOMPLETE : CORRUPT;
  const orders = new Uint8Array(CODE_ORDER.length);
  for (const symbol of CODE_ORDER.slice(0, lengthCount)) {
    orders[symbol] = peek(input, position) & 7;
    position += 3;
  }
  if (position > end) return INCOMPLETE;
  if (!fillCode(codeLengths, orders, false)) return CORRUPT;
  const total = literalCount + distanceCount;
  const mask = (1 << codeLengths.bits) - 1;
  for (let count = 0; count < total; ) {
    const bits = peek(input, position);
    const entry = at(codeLengths.table, bits & mask);
    const symbol = entry >> 4;
    position += entry & 15;
    let repeats = 1;
    let value = symbol;
    if (symbol > 15) {
      const [base, extra] = symbol === 16 ? [3, 2] : symbol === 17 ? [3, 3] : [11, 7];
      repeats = base + (peek(input, position) & ((1 << extra) - 1));
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
    fillCode(literals, lengths.subarray(0, literalCount), true) &&
    fillCode(distances, lengths.subarray(literalCount, total), true);
  return isValid ? position : CORRUPT;
}

interface BlockOutput {
  readonly output: InflateOutput;
  /** The length of the output before the data, to which distances may not reach back. */
  readonly start: number;
}

/** Inflates a block of compressed data. Returns the position after it, CORRUPT, TOO_LONG or INCOMPLETE. */
function inflateBlock(input: Uint8Array, begin: number, { output, start }: BlockOutput): number {
  const end = input.length * 8;
  const { table: literalTable } = literals;
  const { table: distanceTable } = distances;
  const literalMask = (1 << literals.bits) - 1;
  const distanceMask = (1 << distances.bits) - 1;
  let { bytes, length: out } = output;
  let position = begin;
  for (;;) {
    const entry = at(literalTable, peek(input, position) & literalMask);
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
      return position;
    }
    const code = symbol - 257;
    const extra = at(lengthExtra, code);
    let length = at(lengthBase, code) + (peek(input, position) & ((1 << extra) - 1));
    position += extra;
    const distanceEntry = at(distanceTable, peek(input, position) & distanceMask);
    position += distanceEntry & 15;
    const distanceCode = distanceEntry >> 4;
    if (position > end) break;
    if (distanceCode >= MAX_DISTANCES || code >= lengthBase.length) return CORRUPT;
    const distanceBits = at(distanceExtra, distanceCode);
    const distance = at(distanceBase, distanceCode) + (peek(input, position) & ((1 << distanceBits) - 1));
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
