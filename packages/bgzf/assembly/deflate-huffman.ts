// Huffman codes of limited length (RFC 1951 §3.2.2), complete for any frequencies.

/** Symbols take 9 bits and frequencies at most 18 bits: two digits of a radix sort. */
const DIGIT_BITS: u32 = 9;

/** Keys: frequency above symbol, in ascending order. The tree is built in place in a copy of the frequencies. */
const KEYS: usize = memory.data(4 * 288, 16);
const OTHER_KEYS: usize = memory.data(4 * 288, 16);
const TREE: usize = memory.data(4 * 288, 16);
const DIGITS: usize = memory.data(4 << DIGIT_BITS, 16);
/** Number of codes of each length up to 15. */
const LENGTH_COUNTS: usize = memory.data(4 * 16, 16);
const NEXT_CODES: usize = memory.data(4 * 16, 16);

/**
 * Writes the code length (u8) of each of `count` symbols to `lengths`, 0 for a frequency (u32) of 0: a nearly optimal
 * code of at most `limit` bits. Codes have at least two symbols, since some readers reject an incomplete code.
 */
export function makeLengths(frequencies: usize, count: i32, limit: i32, lengths: usize): void {
  memory.fill(lengths, 0, count);
  const used = collectKeys(frequencies, count);
  if (used < 2) {
    const only = used == 0 ? 0 : load<u32>(KEYS) & 0x1ff;
    store<u8>(lengths + only, 1);
    store<u8>(lengths + (only == 0 ? 1 : 0), 1);
    return;
  }
  sortByDigit(KEYS, OTHER_KEYS, used, DIGIT_BITS);
  sortByDigit(OTHER_KEYS, KEYS, used, 2 * DIGIT_BITS);
  buildTree(used);
  countLengths(used, limit);
  limitLengths(limit);
  // The rarest symbols come first and take the longest codes.
  let key = KEYS;
  for (let length = limit; length > 0; length -= 1) {
    for (let left = load<u32>(LENGTH_COUNTS + (length << 2)); left > 0; left -= 1) {
      store<u8>(lengths + (load<u32>(key) & 0x1ff), length);
      key += 4;
    }
  }
}

/**
 * Writes the canonical code of each symbol (u32) to `codes`: its bits, the first bit lowest as packed by RFC 1951
 * §3.1.1, and its length in the highest 8 bits.
 */
export function makeCodes(lengths: usize, count: i32, codes: usize): void {
  memory.fill(LENGTH_COUNTS, 0, 64);
  for (let symbol = 0; symbol < count; symbol += 1) {
    const place = LENGTH_COUNTS + ((<u32>load<u8>(lengths + symbol)) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  store<u32>(LENGTH_COUNTS, 0);
  let code: u32 = 0;
  for (let length = 1; length < 16; length += 1) {
    code = (code + load<u32>(LENGTH_COUNTS + ((length - 1) << 2))) << 1;
    store<u32>(NEXT_CODES + (length << 2), code);
  }
  for (let symbol = 0; symbol < count; symbol += 1) {
    const length = <u32>load<u8>(lengths + symbol);
    const place = NEXT_CODES + (length << 2);
    const next = load<u32>(place);
    store<u32>(place, next + 1);
    store<u32>(codes + (symbol << 2), length == 0 ? 0 : (reverse16(next) >> (16 - length)) | (length << 24));
  }
}

/** Lists the symbols that occur and returns their number. */
function collectKeys(frequencies: usize, count: i32): i32 {
  let used = 0;
  for (let symbol = 0; symbol < count; symbol += 1) {
    const frequency = load<u32>(frequencies + (symbol << 2));
    if (frequency == 0) continue;
    store<u32>(KEYS + (used << 2), (frequency << DIGIT_BITS) | symbol);
    used += 1;
  }
  return used;
}

/** Sorts by one digit: one stable pass of a radix sort. */
function sortByDigit(from: usize, to: usize, count: i32, shift: u32): void {
  memory.fill(DIGITS, 0, 4 << DIGIT_BITS);
  const end = from + (count << 2);
  for (let key = from; key < end; key += 4) {
    const place = DIGITS + (((load<u32>(key) >> shift) & 0x1ff) << 2);
    store<u32>(place, load<u32>(place) + 4);
  }
  let start: u32 = 0;
  for (let place = DIGITS; place < DIGITS + (4 << DIGIT_BITS); place += 4) {
    const size = load<u32>(place);
    store<u32>(place, start);
    start += size;
  }
  for (let key = from; key < end; key += 4) {
    const place = DIGITS + (((load<u32>(key) >> shift) & 0x1ff) << 2);
    const offset = load<u32>(place);
    store<u32>(to + offset, load<u32>(key));
    store<u32>(place, offset + 4);
  }
}

/**
 * Builds the Huffman tree of the sorted keys in place (Moffat and Katajainen 1995). TREE becomes the depth of each
 * inner node; the root is last.
 */
function buildTree(count: i32): void {
  for (let index = 0; index < count; index += 1) node(index, load<u32>(KEYS + (index << 2)) >> DIGIT_BITS);
  let leaf = 0;
  let root = 0;
  for (let next = 0; next < count - 1; next += 1) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child += 1) {
      if (leaf < count && (root == next || nodeOf(leaf) <= nodeOf(root))) {
        weight += nodeOf(leaf);
        leaf += 1;
      } else {
        weight += nodeOf(root);
        node(root, next);
        root += 1;
      }
    }
    node(next, weight);
  }
  node(count - 2, 0);
  for (let index = count - 3; index >= 0; index -= 1) node(index, nodeOf(nodeOf(index)) + 1);
}

/** Counts the leaves at each depth. Leaves deeper than `limit` count at `limit`. */
function countLengths(count: i32, limit: u32): void {
  memory.fill(LENGTH_COUNTS, 0, 64);
  let places = 1;
  let inner = count - 2;
  for (let depth: u32 = 0; places > 0; depth += 1) {
    let parents = 0;
    for (; inner >= 0 && nodeOf(inner) == depth; inner -= 1) parents += 1;
    const place = LENGTH_COUNTS + (min(depth, limit) << 2);
    store<u32>(place, load<u32>(place) + (places - parents));
    places = 2 * parents;
  }
}

/** Lengthens codes until they fit the bit patterns of `limit` bits. Each iteration frees exactly one pattern. */
function limitLengths(limit: i32): void {
  let taken: u32 = 0;
  for (let length = 1; length <= limit; length += 1) {
    taken += load<u32>(LENGTH_COUNTS + (length << 2)) << (limit - length);
  }
  for (; taken > (<u32>1) << limit; taken -= 1) {
    let length = limit - 1;
    while (load<u32>(LENGTH_COUNTS + (length << 2)) == 0) length -= 1;
    const place = LENGTH_COUNTS + (length << 2);
    store<u32>(place, load<u32>(place) - 1);
    store<u32>(place, load<u32>(place, 4) + 2, 4);
    const longest = LENGTH_COUNTS + (limit << 2);
    store<u32>(longest, load<u32>(longest) - 1);
  }
}

// @inline
function nodeOf(index: u32): u32 {
  return load<u32>(index << 2, TREE);
}

// @inline
function node(index: u32, value: u32): void {
  store<u32>(index << 2, value, TREE);
}

function reverse16(bits: u32): u32 {
  bits = ((bits & 0x5555) << 1) | ((bits >> 1) & 0x5555);
  bits = ((bits & 0x3333) << 2) | ((bits >> 2) & 0x3333);
  bits = ((bits & 0x0f0f) << 4) | ((bits >> 4) & 0x0f0f);
  return ((bits & 0xff) << 8) | (bits >> 8);
}
