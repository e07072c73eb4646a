// Fills decoding tables of Huffman codes (RFC 1951 §3.2.2): an entry for each value of the next `mainBits` bits,
// followed by subtables for longer codewords.
import { EXCEPTIONAL, INVALID, LITERAL, PAIR, SUBTABLE } from './huffman-entry';

/** RFC 1951 §3.2.7. */
const LONGEST_CODEWORD: i32 = 15;

/** Adds one bit to both counts of an entry. */
const ONE_BIT: i32 = 0x101;

/**
 * The number of codewords of each length, and where the symbols of each length begin among the sorted symbols (u16).
 */
const COUNTS: usize = memory.data(32, 16);
const STARTS: usize = memory.data(32, 16);
/** The symbols that have a codeword, sorted by its length and by value (u16). */
const SORTED: usize = memory.data(2 * 288, 16);

/** The table to fill. `symbols` has the entry of each symbol for a codeword of zero bits. */
abstract class Table {
  static start: usize = 0;
  static mainBits: i32 = 0;
  static capacity: i32 = 0;
  static symbols: usize = 0;
}

/** Selects the table that `buildTable` fills: `capacity` entries at `start`. */
export function chooseTable(start: usize, mainBits: i32, capacity: i32, symbols: usize): void {
  Table.start = start;
  Table.mainBits = mainBits;
  Table.capacity = capacity;
  Table.symbols = symbols;
}

/**
 * Fills the selected table for the code whose lengths are the `symbolCount` bytes at `lengths`. Returns false if the
 * code is over-subscribed, or incomplete and not allowed by `mayBeIncomplete`: no codeword, or one codeword of one bit.
 */
export function buildTable(lengths: usize, symbolCount: i32, mayBeIncomplete: bool): bool {
  const unused = sortSymbols(lengths, symbolCount);
  if (unused < 0) return false;
  if (unused == 0) return fill();
  const isEmpty = unused == 1 << LONGEST_CODEWORD;
  const isOneBit = countOf(1) == 1 && unused == 1 << (LONGEST_CODEWORD - 1);
  if (!mayBeIncomplete || (!isEmpty && !isOneBit)) return false;
  fillIncomplete(isOneBit ? symbolEntry(0) + ONE_BIT : INVALID);
  return true;
}

// @inline
function countOf(length: i32): i32 {
  return load<u16>(COUNTS + (length << 1));
}

// @inline
function symbolEntry(rank: i32): i32 {
  return load<i32>(Table.symbols + ((<usize>load<u16>(SORTED + (rank << 1))) << 2));
}

// @inline
function setEntry(index: i32, entry: i32): void {
  store<i32>(Table.start + (index << 2), entry);
}

/**
 * Sorts the symbols. Returns how many of the 2^15 codewords of 15 bits are left, negative for an over-subscribed code.
 */
function sortSymbols(lengths: usize, symbolCount: i32): i32 {
  memory.fill(COUNTS, 0, 32);
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    const at = COUNTS + ((<usize>load<u8>(lengths + symbol)) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  let start = 0;
  let unused = 1 << LONGEST_CODEWORD;
  for (let length = 1; length <= LONGEST_CODEWORD; length += 1) {
    store<u16>(STARTS + (length << 1), <u16>start);
    start += countOf(length);
    unused -= countOf(length) << (LONGEST_CODEWORD - length);
  }
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    const length = load<u8>(lengths + symbol);
    if (length == 0) continue;
    const at = STARTS + ((<usize>length) << 1);
    const rank = load<u16>(at);
    store<u16>(SORTED + ((<usize>rank) << 1), <u16>symbol);
    store<u16>(at, rank + 1);
  }
  return unused;
}

/** Fills the table of a code of the codeword 0 or of none. Other codewords are rejected when they occur, as in zlib. */
function fillIncomplete(entry: i32): void {
  for (let index = 0; index < 1 << Table.mainBits; index += 2) {
    setEntry(index, entry);
    setEntry(index + 1, INVALID);
  }
}

/**
 * Fills the table of a complete code. Codewords come in order, so 2^length entries are complete after the codewords of
 * each length; they are doubled for the next length.
 */
function fill(): bool {
  const mainBits = Table.mainBits;
  let codeword = 0; // its bits reversed, as they are read
  let rank = 0;
  let length = 1;
  while (countOf(length) == 0) length += 1;
  for (; length <= mainBits; length += 1) {
    for (let left = countOf(length); left > 0; left -= 1) {
      setEntry(codeword, symbolEntry(rank) + length * ONE_BIT);
      rank += 1;
      if (codeword == (1 << length) - 1) {
        for (; length < mainBits; length += 1) double(1 << length);
        return true;
      }
      codeword = nextCodeword(codeword, length);
    }
    if (length < mainBits) double(1 << length);
  }
  return fillSubtables(codeword, rank);
}

/** Fills the entries of codewords longer than the main table, beginning with a codeword and the index of its symbol. */
function fillSubtables(firstCodeword: i32, firstRank: i32): bool {
  const mainBits = Table.mainBits;
  let codeword = firstCodeword;
  let rank = firstRank;
  let prefix = -1;
  let start = 0;
  let end = 1 << mainBits;
  for (let length = mainBits + 1; length <= LONGEST_CODEWORD; length += 1) {
    for (let left = countOf(length); left > 0; left -= 1) {
      if ((codeword & ((1 << mainBits) - 1)) != prefix) {
        prefix = codeword & ((1 << mainBits) - 1);
        const bits = subtableBits(length, left);
        start = end;
        end += 1 << bits;
        if (end > Table.capacity) return false;
        setEntry(prefix, EXCEPTIONAL | SUBTABLE | (start << 16) | (bits << 8) | mainBits);
      }
      const entry = symbolEntry(rank) + (length - mainBits) * ONE_BIT;
      rank += 1;
      const step = 1 << (length - mainBits);
      for (let index = start + (codeword >> mainBits); index < end; index += step) setEntry(index, entry);
      if (codeword == (1 << length) - 1) return true;
      codeword = nextCodeword(codeword, length);
    }
  }
  return false;
}

/**
 * Returns the bits of a subtable that begins with codewords of a length, of which `left` are left: as many as fill it.
 */
function subtableBits(length: i32, left: i32): i32 {
  let bits = length - Table.mainBits;
  for (let filled = left; filled < 1 << bits && Table.mainBits + bits < LONGEST_CODEWORD; ) {
    bits += 1;
    filled = (filled << 1) + countOf(Table.mainBits + bits);
  }
  return bits;
}

/**
 * Returns the codeword after a reversed one that is not all ones: sets its highest zero, and clears the ones above it.
 */
// @inline
function nextCodeword(codeword: i32, length: i32): i32 {
  const bit = 1 << (31 - clz(codeword ^ ((1 << length) - 1)));
  return (codeword & (bit - 1)) | bit;
}

/** Duplicates the first `size` entries. */
function double(size: i32): void {
  memory.copy(Table.start + (size << 2), Table.start, size << 2);
}

/** Joins literals: if the codeword of a second literal fits the bits of the main table too, one entry holds both. */
export function joinLiterals(table: usize, mainBits: i32): void {
  // In descending order, so that second literals are read before they are joined with a third.
  for (let index = (1 << mainBits) - 1; index >= 0; index -= 1) {
    const first = load<i32>(table + (index << 2));
    const second = load<i32>(table + ((index >> (first & 63)) << 2));
    const taken = (first & 63) + (second & 63);
    if ((first & second & LITERAL) == 0 || taken > mainBits) continue;
    store<i32>(table + (index << 2), (first + (second & 63)) | PAIR | ((second & 0xff0000) << 8));
  }
}
