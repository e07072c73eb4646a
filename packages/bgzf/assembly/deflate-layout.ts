// The areas of memory, each with its own room, and the alphabets of RFC 1951 §3.2.5.

/** Most bytes of input: a position in it fits 16 bits, as does "position + 1" of one that can begin a match. */
export const MAX_INPUT: u32 = 65536;

/** Literals and lengths, two of them never used; distances, two of them never used. */
export const LITERALS: u32 = 256;
export const LITLENS: u32 = 288;
export const DISTANCES: u32 = 32;
export const END_OF_BLOCK: u32 = 256;
export const FIRST_LENGTH: u32 = 257;

export const MIN_MATCH: u32 = 3;
export const MAX_MATCH: u32 = 258;
export const MAX_DISTANCE: u32 = 32768;

/** Both end with room for what 8-byte loads and stores touch beyond the data. */
export const INPUT: usize = memory.data(MAX_INPUT + 16, 16);
export const OUTPUT: usize = memory.data(MAX_INPUT + 16, 16);

/**
 * A segment is a stretch of input that is parsed into sequences before DEFLATE blocks are made, each of one or more
 * segments. It holds the frequency of each symbol (u32), and where its input and its sequences end.
 */
export const SEGMENT_BYTES: u32 = 4096;
export const DISTANCE_FREQUENCIES: usize = 4 * LITLENS;
export const INPUT_END: usize = 4 * (LITLENS + DISTANCES);
export const SEQUENCES_END: usize = INPUT_END + 4;
export const SEGMENT_SIZE: usize = INPUT_END + 16;
export const SEGMENTS: usize = memory.data((MAX_INPUT / SEGMENT_BYTES + 1) * (4 * (LITLENS + DISTANCES) + 16), 16);

/**
 * A sequence is a run of literals and the match that follows it: their number (u32), then the match as of packMatch,
 * with its distance symbol. A match has 3 bytes at least; each segment ends with a sequence whose match has none.
 */
export const SEQUENCES: usize = memory.data((MAX_INPUT / MIN_MATCH + MAX_INPUT / SEGMENT_BYTES + 2) * 8, 16);

/** Per length from 0 to 258: its symbol less 257 (u8). */
export const LENGTH_SYMBOLS: usize = memory.data(264, 8);

/** Extra bits after a length symbol less 257 (RFC 1951 §3.2.5); 258 has a symbol of its own, the last. */
// @inline
export function lengthExtraBits(symbol: u32): u32 {
  return symbol < 8 || symbol == 28 ? 0 : (symbol >> 2) - 1;
}

/** Extra bits after a distance symbol (RFC 1951 §3.2.5). */
// @inline
export function distanceExtraBits(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** The symbol of a distance (RFC 1951 §3.2.5): twice the logarithm of one less, and the bit below the highest. */
// @inline
export function toDistanceSymbol(distance: u32): u32 {
  const above = distance - 1;
  if (above < 2) return above;
  const log = 31 - clz(above);
  return 2 * log + ((above >> (log - 1)) & 1);
}

/** The symbol less 257 of a length: eight that stand for themselves, then four for each doubling (RFC 1951 §3.2.5). */
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
