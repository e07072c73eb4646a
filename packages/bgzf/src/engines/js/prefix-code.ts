const MAX_CODE_LENGTH = 15;
/** The number of bits that index a table. Filling tables of all bits takes longer than inflating a short block. */
const TABLE_BITS = 10;

/**
 * A prefix code. An entry of the table is `symbol << 4 | length`, `UNUSED` for bits that are not a code,
 * or 0 for the beginning of codes that are longer than the index.
 */
export interface PrefixCode {
  readonly table: Uint16Array;
  /** The bits that index the table. */
  mask: number;
  /** The number of codes of each length. */
  readonly counts: Uint16Array;
  /** The symbols in the order of their codes. */
  readonly symbols: Uint16Array;
}

/** A symbol that neither literals nor distances have. */
const UNUSED = (287 << 4) | 1;

export const createCode = (): PrefixCode => ({
  table: new Uint16Array(1 << TABLE_BITS),
  mask: 0,
  counts: new Uint16Array(MAX_CODE_LENGTH + 1),
  symbols: new Uint16Array(288),
});
/** Per length of a code, the index of the next symbol. */
const nextIndices = new Uint16Array(MAX_CODE_LENGTH + 2);

/** Fills a code from the lengths of its symbols (RFC 1951 §3.2.2). Returns false if they are not those of one. */
export function fillCode(code: PrefixCode, symbolLengths: Uint8Array, isPartial: boolean): boolean {
  const { table, counts, symbols } = code;
  counts.fill(0);
  for (const length of symbolLengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  let bits = MAX_CODE_LENGTH;
  while (bits > 0 && counts[bits] === 0) bits -= 1;
  let free = 1;
  nextIndices[1] = 0;
  for (let length = 1; length <= bits; length += 1) {
    free = free * 2 - (counts[length] ?? 0);
    nextIndices[length + 1] = (nextIndices[length] ?? 0) + (counts[length] ?? 0);
    if (free < 0) return false;
  }
  // As in zlib, a code of one symbol has one bit, half of whose values are unused.
  if (free > 0 && !(isPartial && bits <= 1)) return false;
  for (let symbol = 0; symbol < symbolLengths.length; symbol += 1) {
    const length = symbolLengths[symbol] ?? 0;
    if (length === 0) continue;
    const index = nextIndices[length] ?? 0;
    nextIndices[length] = index + 1;
    symbols[index] = symbol;
  }
  const size = 1 << Math.min(bits, TABLE_BITS);
  code.mask = size - 1;
  table.fill(free > 0 ? UNUSED : 0, 0, size);
  let index = 0;
  let value = 0;
  for (let length = 1; length <= bits && length <= TABLE_BITS; length += 1, value <<= 1) {
    for (let left = counts[length] ?? 0; left > 0; left -= 1, index += 1, value += 1) {
      const entry = ((symbols[index] ?? 0) << 4) | length;
      for (let slot = reverse(value, length); slot < size; slot += 1 << length) table[slot] = entry;
    }
  }
  return true;
}

/** Reverses the lowest bits of a number: codes begin with their highest bit. */
function reverse(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit += 1) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/** Returns the entry of the code that some bits begin with, if it is longer than the index of the table. */
export function findLong({ counts, symbols }: PrefixCode, bits: number): number {
  let index = 0;
  // The codes of one length are consecutive numbers: this one, less the first of its length.
  let position = 0;
  for (let length = 1; length <= MAX_CODE_LENGTH; length += 1) {
    position = position * 2 + ((bits >> (length - 1)) & 1);
    const count = counts[length] ?? 0;
    if (position < count) return ((symbols[index + position] ?? 0) << 4) | length;
    position -= count;
    index += count;
  }
  return UNUSED;
}
