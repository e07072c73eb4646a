// The entries of decoding tables, and how they are looked up.
//
// An entry of a symbol:
//   bits 0–5    the bits it takes, extra bits included: as a count of a 64-bit shift, the entry needs no mask
//   bit 6       EXCEPTIONAL: neither a literal, nor a length or distance
//   bit 7       LITERAL
//   bits 8–13   what to shift out before the extra bits: the codeword, and the LOW_BITS; of a literal, the codeword
//   bit 14      PAIR: two literals, the second in bits 24–31; bits 8–13 are of the first
//   bits 16–31  the literal; the least length, and from bit 25 on the mask of its extra bits; the least distance
// An entry that leads to a subtable is EXCEPTIONAL and SUBTABLE: in bits 0–5 the bits of the main table, in bits 8–13
// those that choose in the subtable, in bits 16–30 the index of its first entry. The entries of a subtable leave the
// bits of the main table out of both counts.
//
// `bits` are those of the input, above LOW_BITS bits that are used already. So they are an offset to entries of 4 bytes
// when they are masked, with no shift in the chain from entry to entry that bounds the speed (5 % of it).

export const LOW_BITS: i32 = 2;

export const EXCEPTIONAL: i32 = 1 << 6;
export const LITERAL: i32 = 1 << 7;
export const PAIR: i32 = 1 << 14;
export const SUBTABLE: i32 = 1 << 15;
/** Of the symbol that ends a block. */
export const END_OF_BLOCK: i32 = EXCEPTIONAL;
/** Of a symbol or a codeword that must not occur. */
export const INVALID: i32 = EXCEPTIONAL | (1 << 16);

/** Bits of the main tables. With 11 for literals and lengths, text is 3 % slower: the table takes longer to fill. */
export const LITLEN_BITS: i32 = 10;
export const DISTANCE_BITS: i32 = 8;

/** More entries than codes of 15 bits can need with such main tables: 1334 and 402 (as computed by zlib's `enough`). */
export const LITLEN_CAPACITY: i32 = 2048;
export const DISTANCE_CAPACITY: i32 = 512;

/** The tables in use. */
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

/** The entry that `entry` leads to, once the bits of the main table are used. */
// @inline
export function subtableEntry(table: usize, entry: i64, bits: i64): i64 {
  const subtableBits = <i32>(entry >>> 8) & 63;
  const start = <i32>(entry >>> 16) & 0x7fff;
  return load<u32>(table + (start << 2) + (<i32>bits & (((1 << subtableBits) - 1) << LOW_BITS)));
}

/** The length of an entry, before its bits are used. */
// @inline
export function lengthOf(entry: i64, bits: i64): i32 {
  return (<i32>(entry >>> 16) & 511) + (<i32>(bits >>> (entry >>> 8)) & (<i32>entry >>> 25));
}

/** The distance of an entry, before its bits are used. */
// @inline
export function distanceOf(entry: i64, bits: i64): i32 {
  const taken = ~((<i64>(-1 << LOW_BITS)) << entry);
  return <i32>(entry >>> 16) + <i32>((bits & taken) >>> (entry >>> 8));
}
