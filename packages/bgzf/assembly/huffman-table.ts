// Fills decoding tables of Huffman codes (RFC 1951 §3.2.2): an entry for each value of the next `mainBits` bits, and
// subtables behind them for codewords that are longer.
import { EXCEPTIONAL, INVALID, LITERAL, PAIR, SUBTABLE } from './huffman-entry';

/** RFC 1951 §3.2.7. */
const LONGEST_CODEWORD: i32 = 15;

/** Adds a bit to both lengths in an entry. */
const ONE_BIT: i32 = 0x101;

/** u16: how many codewords have each length, and where the symbols of each length begin among the sorted ones. */
const COUNTS: usize = memory.data(32, 16);
const STARTS: usize = memory.data(32, 16);
/** u16: the symbols that have a codeword, by its length and by value. */
const SORTED: usize = memory.data(2 * 288, 16);

/** A table to be filled. `symbols` has the entry of each symbol, as if its codeword had no bits. */
abstract class Table {
  static start: usize = 0;
  static mainBits: i32 = 0;
  static capacity: i32 = 0;
  static symbols: usize = 0;
}

/** Chooses the table that `buildTable` fills: `capacity` entries at `start`. */
export function chooseTable(start: usize, mainBits: i32, capacity: i32, symbols: usize): void {
  Table.start = start;
  Table.mainBits = mainBits;
  Table.capacity = capacity;
  Table.symbols = symbols;
}

/**
 * Fills the chosen table for the code whose lengths are the `symbolCount` bytes at `lengths`. False if the code is
 * over-subscribed, or incomplete and not one that `mayBeIncomplete` allows: one codeword of one bit, or none at all.
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

/** Sorts the symbols; what is left of the 2^15 codewords of 15 bits, negative if the code is over-subscribed. */
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

/** A code of the codeword 0, or of none: what is not a codeword is refused when it occurs, as zlib does. */
function fillIncomplete(entry: i32): void {
  for (let index = 0; index < 1 << Table.mainBits; index += 2) {
    setEntry(index, entry);
    setEntry(index + 1, INVALID);
  }
}

/**
 * Fills the table of a complete code. Codewords come in their order, so that 2^length entries are complete when the
 * codewords of a length are done; they are doubled for the next length.
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

/** Fills what is longer than the main table's codewords, from a codeword and the rank of its symbol on. */
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

/** The bits of a subtable that begins with codewords of a length, of which `left` are left: as many as fill it. */
function subtableBits(length: i32, left: i32): i32 {
  let bits = length - Table.mainBits;
  for (let filled = left; filled < 1 << bits && Table.mainBits + bits < LONGEST_CODEWORD; ) {
    bits += 1;
    filled = (filled << 1) + countOf(Table.mainBits + bits);
  }
  return bits;
}

/** The codeword after a reversed one that is not all ones: its highest zero becomes one, the ones above it zeros. */
// @inline
function nextCodeword(codeword: i32, length: i32): i32 {
  const bit = 1 << (31 - clz(codeword ^ ((1 << length) - 1)));
  return (codeword & (bit - 1)) | bit;
}

/** Repeats the first `size` entries. */
function double(size: i32): void {
  memory.copy(Table.start + (size << 2), Table.start, size << 2);
}

/**
 * Joins literals: where the main table's bits hold the codeword of a second literal behind that of the first, one entry
 * gives both.
 */
export function joinLiterals(table: usize, mainBits: i32): void {
  // Downwards, so that second literals are found before they are joined with a third.
  for (let index = (1 << mainBits) - 1; index >= 0; index -= 1) {
    const first = load<i32>(table + (index << 2));
    const second = load<i32>(table + ((index >> (first & 63)) << 2));
    const taken = (first & 63) + (second & 63);
    if ((first & second & LITERAL) == 0 || taken > mainBits) continue;
    store<i32>(table + (index << 2), (first + (second & 63)) | PAIR | ((second & 0xff0000) << 8));
  }
}
