// The Huffman codes of a block: the fixed ones (RFC 1951 §3.2.6), and those that a block describes (§3.2.7).
import { buildTable, END_OF_BLOCK, INVALID, LITERAL } from './huffman-table';
import { CORRUPT, OK } from './status';
import { isOverrun, refill, Stream, takeBits } from './stream';

/** Bits of the main table: 11 hold nearly all literals and lengths, 8 the distances. */
export const LITLEN_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 8;

/** Entries that a code of 288 (32) codewords of 15 bits at most can need with such a main table (zlib's `enough`). */
const LITLEN_CAPACITY: i32 = 2342;
const DISTANCE_CAPACITY: i32 = 402;

/** The tables that are in use. */
export const LITLEN_TABLE: usize = memory.data(4 * 2342, 16);
export const DISTANCE_TABLE: usize = memory.data(4 * 402, 16);

const FIXED_LITLEN_TABLE: usize = memory.data(4 * 2342, 16);
const FIXED_DISTANCE_TABLE: usize = memory.data(4 * 402, 16);

const PRECODE_BITS: i32 = 7;
const PRECODE_TABLE: usize = memory.data(4 * 128, 16);
const PRECODE_LENGTHS: usize = memory.data(32, 16);
/** Code lengths in the order of their symbols; repeats may be written behind the last. */
const LENGTHS: usize = memory.data(320 + 16, 16);

/** Entries of the symbols of each alphabet, without the lengths of their codewords. */
const LITLEN_SYMBOLS: usize = memory.data(4 * 288, 16);
const DISTANCE_SYMBOLS: usize = memory.data(4 * 32, 16);
const PRECODE_SYMBOLS: usize = memory.data(4 * 19, 16);

/** The order in which the lengths of the code length code are stored (§3.2.7). */
const PRECODE_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Whether the tables in use are the fixed ones. */
let isFixed: bool = false;

/** Writes the entries of all symbols (§3.2.5) and the fixed tables; done once. */
export function prepareCodes(): void {
  for (let symbol = 0; symbol < 256; symbol += 1) store<i32>(LITLEN_SYMBOLS + (symbol << 2), LITERAL | (symbol << 16));
  store<i32>(LITLEN_SYMBOLS + (256 << 2), END_OF_BLOCK);
  writeRanges(LITLEN_SYMBOLS + (257 << 2), 28, 2, 3);
  store<i32>(LITLEN_SYMBOLS + (285 << 2), 258 << 16);
  for (let symbol = 286; symbol < 288; symbol += 1) store<i32>(LITLEN_SYMBOLS + (symbol << 2), INVALID);
  writeRanges(DISTANCE_SYMBOLS, 30, 1, 1);
  for (let symbol = 30; symbol < 32; symbol += 1) store<i32>(DISTANCE_SYMBOLS + (symbol << 2), INVALID);
  for (let symbol = 0; symbol < 19; symbol += 1) store<i32>(PRECODE_SYMBOLS + (symbol << 2), symbol << 16);
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  buildTable(FIXED_LITLEN_TABLE, LITLEN_BITS, LITLEN_CAPACITY, LITLEN_SYMBOLS, LENGTHS, 288, false);
  buildTable(FIXED_DISTANCE_TABLE, DISTANCE_BITS, DISTANCE_CAPACITY, DISTANCE_SYMBOLS, LENGTHS + 288, 32, false);
}

/** Ranges of lengths or distances: the first `2 << groupBits` without extra bits, then each `1 << groupBits` with one more. */
function writeRanges(symbols: usize, count: i32, groupBits: i32, first: i32): void {
  let base = first;
  for (let symbol = 0; symbol < count; symbol += 1) {
    const group = symbol >> groupBits;
    const extraBits = group > 1 ? group - 1 : 0;
    store<i32>(symbols + (symbol << 2), (base << 16) | extraBits);
    base += 1 << extraBits;
  }
}

/** Puts the fixed codes into use. */
export function useFixedCodes(): void {
  if (isFixed) return;
  memory.copy(LITLEN_TABLE, FIXED_LITLEN_TABLE, 4 * 2342);
  memory.copy(DISTANCE_TABLE, FIXED_DISTANCE_TABLE, 4 * 402);
  isFixed = true;
}

/** Reads the codes of a block and puts them into use. */
export function readCodes(): i32 {
  isFixed = false;
  refill();
  const litlenCount = takeBits(5) + 257;
  const distanceCount = takeBits(5) + 1;
  const precodeCount = takeBits(4) + 4;
  if (litlenCount > 286 || distanceCount > 30) return CORRUPT;
  if (!readPrecode(precodeCount) || !readLengths(litlenCount + distanceCount) || isOverrun()) return CORRUPT;
  if (load<u8>(LENGTHS + 256) == 0) return CORRUPT; // a block that could not end
  const distances = LENGTHS + <usize>litlenCount;
  const isValid =
    buildTable(LITLEN_TABLE, LITLEN_BITS, LITLEN_CAPACITY, LITLEN_SYMBOLS, LENGTHS, litlenCount, true) &&
    buildTable(DISTANCE_TABLE, DISTANCE_BITS, DISTANCE_CAPACITY, DISTANCE_SYMBOLS, distances, distanceCount, true);
  return isValid ? OK : CORRUPT;
}

/** Reads the code of the code lengths; false if it is not complete. */
function readPrecode(count: i32): bool {
  memory.fill(PRECODE_LENGTHS, 0, 19);
  for (let index = 0; index < count; index += 1) {
    if ((index & 15) == 0) refill();
    store<u8>(PRECODE_LENGTHS + <usize>load<u8>(PRECODE_ORDER + index), <u8>takeBits(3));
  }
  return buildTable(PRECODE_TABLE, PRECODE_BITS, 1 << PRECODE_BITS, PRECODE_SYMBOLS, PRECODE_LENGTHS, 19, false);
}

/** Reads code lengths; false if they begin with a repeat of the one before, or if a repeat goes past their number. */
function readLengths(count: i32): bool {
  let index = 0;
  while (index < count) {
    refill();
    const entry = load<i32>(PRECODE_TABLE + ((<i32>Stream.bits & ((1 << PRECODE_BITS) - 1)) << 2));
    takeBits(entry & 63);
    const symbol = entry >> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + index, <u8>symbol);
      index += 1;
      continue;
    }
    if (symbol == 16 && index == 0) return false;
    const repeats = symbol == 16 ? 3 + takeBits(2) : symbol == 17 ? 3 + takeBits(3) : 11 + takeBits(7);
    if (repeats > count - index) return false;
    memory.fill(LENGTHS + index, symbol == 16 ? load<u8>(LENGTHS + index - 1) : 0, repeats);
    index += repeats;
  }
  return true;
}
