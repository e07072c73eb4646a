// The areas of the linear memory and the alphabets of RFC 1951 §3.2.5.

/**
 * Largest input in bytes: a position fits 16 bits, and so does "position + 1" of a position where a match can begin.
 */
export const MAX_INPUT: u32 = 65536;

/** Sizes of the alphabets of literals and lengths and of distances, including two unused symbols each. */
export const LITERALS: u32 = 256;
export const LITLENS: u32 = 288;
export const DISTANCES: u32 = 32;
export const END_OF_BLOCK: u32 = 256;
export const FIRST_LENGTH: u32 = 257;

export const MIN_MATCH: u32 = 3;
export const MAX_MATCH: u32 = 258;
export const MAX_DISTANCE: u32 = 32768;

/** Both areas end with room for 8-byte loads and stores beyond the data. */
export const INPUT: usize = memory.data(MAX_INPUT + 16, 16);
export const OUTPUT: usize = memory.data(MAX_INPUT + 16, 16);

/**
 * A segment is a stretch of input that is parsed into sequences before DEFLATE blocks of one or more segments are
 * written. It holds the frequency of each symbol (u32) and the ends of its input and its sequences.
 */
export const SEGMENT_BYTES: u32 = 4096;
export const DISTANCE_FREQUENCIES: usize = 4 * LITLENS;
export const INPUT_END: usize = 4 * (LITLENS + DISTANCES);
export const SEQUENCES_END: usize = INPUT_END + 4;
export const SEGMENT_SIZE: usize = INPUT_END + 16;
export const SEGMENTS: usize = memory.data((MAX_INPUT / SEGMENT_BYTES + 1) * (4 * (LITLENS + DISTANCES) + 16), 16);

/**
 * A sequence is a run of literals followed by a match: the number of literals (u32), and the match in the format of
 * packMatch with its distance symbol. A match has at least 3 bytes. Each segment ends with a sequence whose match is
 * empty.
 */
export const SEQUENCES: usize = memory.data((MAX_INPUT / MIN_MATCH + MAX_INPUT / SEGMENT_BYTES + 2) * 8, 16);

/** For each length from 0 to 258: its symbol minus 257 (u8). */
export const LENGTH_SYMBOLS: usize = memory.data(264, 8);

/** Returns the extra bits of a length symbol minus 257 (RFC 1951 §3.2.5). 258 has its own symbol, the last one. */
// @inline
export function lengthExtraBits(symbol: u32): u32 {
  return symbol < 8 || symbol == 28 ? 0 : (symbol >> 2) - 1;
}

/** Returns the extra bits of a distance symbol (RFC 1951 §3.2.5). */
// @inline
export function distanceExtraBits(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/**
 * Returns the symbol of a distance (RFC 1951 §3.2.5): twice the logarithm of distance - 1, plus its second highest bit.
 */
// @inline
export function toDistanceSymbol(distance: u32): u32 {
  const above = distance - 1;
  if (above < 2) return above;
  const log = 31 - clz(above);
  return 2 * log + ((above >> (log - 1)) & 1);
}

/**
 * Returns the symbol of a length minus 257: eight symbols of one length, then four for each doubling (RFC 1951 §3.2.5).
 */
function toLengthSymbol(length: u32): u32 {
  const above = length - MIN_MATCH;
  if (length == MAX_MATCH) return 28;
  if (above < 8) return above;
  const log = 31 - clz(above);
  return 4 * (log - 1) + ((above >> (log - 2)) & 3);
}

for (let length = MIN_MATCH; length <= MAX_MATCH; length += 1) {
  store<u8>(LENGTH_SYMBOLS + length, toLengthSymbol(length));
}
