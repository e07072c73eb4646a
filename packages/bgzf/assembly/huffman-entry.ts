// The entries of decoding tables, and how to look them up.
//
// The entry of a symbol:
//   bits 0–5    the number of bits that it takes, including extra bits: the entry itself is the count of a 64-bit shift
//   bit 6       EXCEPTIONAL: not a literal, length or distance
//   bit 7       LITERAL
//   bits 8–13   the bits to shift out before the extra bits: the codeword and the LOW_BITS; for a literal, the codeword
//   bit 14      PAIR: two literals, the second in bits 24–31; bits 8–13 belong to the first
//   bits 16–31  the literal; the smallest length, with the mask of its extra bits from bit 25; or the smallest distance
// An entry that leads to a subtable is EXCEPTIONAL and SUBTABLE. It has the bits of the main table in bits 0–5, the
// number of bits that index the subtable in bits 8–13, and the index of its first entry in bits 16–30. The entries of a
// subtable exclude the bits of the main table from both counts.
//
// `bits` holds the bits of the input above LOW_BITS bits that are already used. When masked, it is therefore an offset
// to entries of 4 bytes, without a shift in the chain from entry to entry that limits the speed (by 5 %).

export const LOW_BITS: i32 = 2;

export const EXCEPTIONAL: i32 = 1 << 6;
export const LITERAL: i32 = 1 << 7;
export const PAIR: i32 = 1 << 14;
export const SUBTABLE: i32 = 1 << 15;
/** The entry of the end-of-block symbol. */
export const END_OF_BLOCK: i32 = EXCEPTIONAL;
/** The entry of an invalid symbol or codeword. */
export const INVALID: i32 = EXCEPTIONAL | (1 << 16);

/**
 * Bits of the main tables. With 11 bits for literals and lengths, text is 3 % slower, since the table takes longer to
 * fill.
 */
export const LITLEN_BITS: i32 = 10;
export const DISTANCE_BITS: i32 = 8;

/**
 * Upper bounds of the entries for codes of 15 bits with such main tables: 1334 and 402 (computed by `enough` of zlib).
 */
export const LITLEN_CAPACITY: i32 = 2048;
export const DISTANCE_CAPACITY: i32 = 512;

/** The current tables. */
export const LITLEN_TABLE: usize = memory.data(4 * 2048, 16);
export const DISTANCE_TABLE: usize = memory.data(4 * 512, 16);

// @inline
export function litlenEntry(bits: i64): i64 {
  return load<u32>(<usize>bits & (((1 << LITLEN_BITS) - 1) << LOW_BITS), LITLEN_TABLE);
}

// @inline
export function distanceEntry(bits: i64): i64 {
  return load<u32>(<usize>bits & (((1 << DISTANCE_BITS) - 1) << LOW_BITS), DISTANCE_TABLE);
}

/** Returns the entry of the subtable that `entry` leads to, after the bits of the main table were used. */
// @inline
export function subtableEntry(table: usize, entry: i64, bits: i64): i64 {
  const subtableBits = <i32>(entry >>> 8) & 63;
  const start = <i32>(entry >>> 16) & 0x7fff;
  return load<u32>(table + (start << 2) + (<i32>bits & (((1 << subtableBits) - 1) << LOW_BITS)));
}

/** Returns the length of an entry, before its bits are used. */
// @inline
export function lengthOf(entry: i64, bits: i64): i32 {
  return (<i32>(entry >>> 16) & 511) + (<i32>(bits >>> (entry >>> 8)) & (<i32>entry >>> 25));
}

/** Returns the distance of an entry, before its bits are used. */
// @inline
export function distanceOf(entry: i64, bits: i64): i32 {
  const taken = ~((<i64>(-1 << LOW_BITS)) << entry);
  return <i32>(entry >>> 16) + <i32>((bits & taken) >>> (entry >>> 8));
}
