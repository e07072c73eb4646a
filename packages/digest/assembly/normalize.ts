// Refget 2.0.0, "Checksum algorithm" 1: drops all bytes but letters, and converts letters to upper case.
import { BASES, CAPACITY, RAW } from './areas';

/** The `*` of a protein. */
const ASTERISK: i8 = 0x2a;

/** The bit that distinguishes lower case from upper case. */
const CASE: i8 = 0x20;

/**
 * Writes the letters of the first `length` bytes of RAW to BASES in upper case, optionally with `*`, and returns their
 * number.
 */
export function normalize(length: i32, keepAsterisk: bool): i32 {
  const end = RAW + <usize>min<i32>(max<i32>(length, 0), CAPACITY);
  // Zeros are dropped, so the last iteration needs no special case.
  v128.store(end, i8x16.splat(0));
  v128.store(end, i8x16.splat(0), 16);
  return keepAsterisk ? copyKept(end, true) : copyKept(end, false);
}

/**
 * Each iteration consumes up to 32 bytes, up to the end of the first run of dropped bytes: a line of FASTA takes two or
 * three. Inlined once for each value of `keepAsterisk`, since checking it would cost a sixth of the speed.
 */
// @inline
function copyKept(end: usize, keepAsterisk: bool): i32 {
  let at = RAW;
  let to = BASES;
  while (at < end) {
    const low = toUpperCase(v128.load(at), keepAsterisk);
    const high = toUpperCase(v128.load(at, 16), keepAsterisk);
    v128.store(to, low);
    v128.store(to, high, 16);
    const dropped = ~(keptBits(low, keepAsterisk) | (keptBits(high, keepAsterisk) << 16));
    if (dropped == 0) {
      at += 32;
      to += 32;
    } else {
      const before = ctz<u32>(dropped);
      to += <usize>before;
      at += <usize>(before + ctz<u32>(~(dropped >> before)));
    }
  }
  return <i32>(to - BASES);
}

/** Converts letters to upper case and keeps `*` on request. Other bytes become bytes that are dropped, too. */
// @inline
function toUpperCase(bytes: v128, keepAsterisk: bool): v128 {
  let cases = i8x16.splat(CASE);
  if (keepAsterisk) cases = v128.andnot(cases, i8x16.eq(bytes, i8x16.splat(ASTERISK)));
  return v128.andnot(bytes, cases);
}

/** Returns a bit for each of the 16 bytes, set if the byte is kept. */
// @inline
function keptBits(bytes: v128, keepAsterisk: bool): u32 {
  let kept = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  if (keepAsterisk) kept = v128.or(kept, i8x16.eq(bytes, i8x16.splat(ASTERISK)));
  return <u32>i8x16.bitmask(kept);
}
