// Decoding tables of Huffman codes (RFC 1951 §3.2.2): an entry of 32 bits for each value of the next `mainBits` bits, and
// subtables behind them for codewords that are longer.
//
// An entry of a symbol:
//   bits 0–5    the bits it takes, extra bits included
//   bits 8–13   the bits of its codeword, those that the main table took left out: what stands before the extra bits
//   bit 14      EXCEPTIONAL: not a literal, length or distance
//   bits 16–30  the literal, or the least length or distance
//   bit 31      LITERAL
// An entry that leads to a subtable has EXCEPTIONAL and SUBTABLE set, in bits 0–5 `mainBits`, in bits 8–13 the bits that
// choose among the subtable's entries, and in bits 16–30 the index of its first entry.

export const LITERAL: i32 = 1 << 31;
export const EXCEPTIONAL: i32 = 1 << 14;
export const SUBTABLE: i32 = 1 << 15;
/** Of a symbol or a codeword that must not occur: neither an end of block nor a subtable. */
export const INVALID: i32 = EXCEPTIONAL | 1 << 16;
/** Of the symbol that ends a block. */
export const END_OF_BLOCK: i32 = EXCEPTIONAL;

/** RFC 1951 §3.2.7. */
const LONGEST_CODEWORD: i32 = 15;

/** u16: how many codewords have each length, then where the symbols of each length begin among the sorted ones. */
const COUNTS: usize = memory.data(32, 16);
const STARTS: usize = memory.data(32, 16);
/** u16: the symbols that have a codeword, by its length and by value. */
const SORTED: usize = memory.data(2 * 320, 16);

/**
 * Builds the table of the code whose lengths are the `symbolCount` bytes at `lengths`; `symbols` has the entry of each
 * symbol, without the length of its codeword. False if the code is over-subscribed, or incomplete and not one that is
 * allowed with `mayBeIncomplete`: a single codeword of one bit, or none at all.
 */
export function buildTable(
  table: usize,
  mainBits: i32,
  capacity: i32,
  symbols: usize,
  lengths: usize,
  symbolCount: i32,
  mayBeIncomplete: bool,
): bool {
  const unused = sortSymbols(lengths, symbolCount);
  if (unused < 0) return false;
  if (unused > 0) {
    const used = countOf(1);
    if (!mayBeIncomplete || (unused != 1 << LONGEST_CODEWORD && (used != 1 || unused != 1 << (LONGEST_CODEWORD - 1)))) {
      return false;
    }
    fillIncomplete(table, mainBits, used == 1 ? symbolEntry(symbols, 0) + 0x101 : INVALID + 0x101);
    return true;
  }
  return fill(table, mainBits, capacity, symbols);
}

@inline
function countOf(length: i32): i32 {
  return load<u16>(COUNTS + (length << 1));
}

@inline
function symbolEntry(symbols: usize, rank: i32): i32 {
  return load<i32>(symbols + (<usize>load<u16>(SORTED + (rank << 1)) << 2));
}

/** Sorts the symbols; what is left of the 2^15 codewords of 15 bits, negative if the code is over-subscribed. */
function sortSymbols(lengths: usize, symbolCount: i32): i32 {
  memory.fill(COUNTS, 0, 32);
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    const at = COUNTS + (<usize>load<u8>(lengths + symbol) << 1);
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
    const at = STARTS + (<usize>length << 1);
    const rank = load<u16>(at);
    store<u16>(SORTED + (<usize>rank << 1), <u16>symbol);
    store<u16>(at, rank + 1);
  }
  return unused;
}

/** A code of one codeword, 0, or of none: what is not a codeword is refused when it occurs (as zlib does). */
function fillIncomplete(table: usize, mainBits: i32, entry: i32): void {
  for (let index = 0; index < 1 << mainBits; index += 1) {
    store<i32>(table + (index << 2), index & 1 ? INVALID + 0x101 : entry);
  }
}

/**
 * Fills the table of a complete code. Codewords are taken in their order, so that a table of 2^length entries is complete
 * when the codewords of a length are done, and is doubled for the next length.
 */
function fill(table: usize, mainBits: i32, capacity: i32, symbols: usize): bool {
  let codeword = 0; // the bits reversed, as they are read
  let rank = 0;
  let length = 1;
  while (countOf(length) == 0) length += 1;
  let size = 1 << length;
  // The codewords of the first lengths.
  for (; length <= mainBits; length += 1) {
    for (let left = countOf(length); left > 0; left -= 1) {
      store<i32>(table + (codeword << 2), symbolEntry(symbols, rank) + length * 0x101);
      rank += 1;
      if (codeword == (1 << length) - 1) {
        double(table, size, 1 << mainBits);
        return true;
      }
      codeword = nextCodeword(codeword, length);
    }
    if (length < mainBits) {
      double(table, size, size << 1);
      size <<= 1;
    }
  }
  return fillSubtables(table, mainBits, capacity, symbols, codeword, rank);
}

function fillSubtables(
  table: usize,
  mainBits: i32,
  capacity: i32,
  symbols: usize,
  firstCodeword: i32,
  firstRank: i32,
): bool {
  const mainMask = (1 << mainBits) - 1;
  let codeword = firstCodeword;
  let rank = firstRank;
  let end = 1 << mainBits;
  let start = 0;
  let prefix = -1;
  let subBits = 0;
  for (let length = mainBits + 1; length <= LONGEST_CODEWORD; length += 1) {
    for (let left = countOf(length); left > 0; left -= 1) {
      if ((codeword & mainMask) != prefix) {
        prefix = codeword & mainMask;
        subBits = length - mainBits;
        // As many bits as the codewords with this prefix need: wider as long as those of a length do not fill it.
        for (let filled = left; filled < 1 << subBits; ) {
          subBits += 1;
          if (subBits + mainBits > LONGEST_CODEWORD) return false;
          filled = (filled << 1) + countOf(mainBits + subBits);
        }
        start = end;
        end += 1 << subBits;
        if (end > capacity) return false;
        store<i32>(table + (prefix << 2), EXCEPTIONAL | SUBTABLE | start << 16 | subBits << 8 | mainBits);
      }
      const entry = symbolEntry(symbols, rank) + (length - mainBits) * 0x101;
      rank += 1;
      for (let index = codeword >> mainBits; index < 1 << subBits; index += 1 << (length - mainBits)) {
        store<i32>(table + ((start + index) << 2), entry);
      }
      if (codeword == (1 << length) - 1) return true;
      codeword = nextCodeword(codeword, length);
    }
  }
  return false;
}

/** The codeword after a reversed one: the highest zero becomes one, and the ones above it zeros. */
@inline
function nextCodeword(codeword: i32, length: i32): i32 {
  const bit = 1 << (31 - clz(codeword ^ ((1 << length) - 1)));
  return codeword & (bit - 1) | bit;
}

/** Repeats the first `size` entries until there are `end`. */
function double(table: usize, size: i32, end: i32): void {
  for (let filled = size; filled < end; filled <<= 1) memory.copy(table + (filled << 2), table, filled << 2);
}
