// Refget 2.0.0, "Checksum algorithm" 1: what is not a letter is dropped, letters become upper case.
import { BASES, CAPACITY, RAW } from './areas';

/** The `*` of a protein. */
const STOP: i8 = 0x2a;

/** The bit that tells lower case from upper. */
const CASE: i8 = 0x20;

/** Writes the letters of the first `length` bytes of RAW to BASES, in upper case, and maybe `*`; returns how many. */
export function normalize(length: i32, keepsStop: bool): i32 {
  const end = RAW + <usize>min<i32>(max<i32>(length, 0), CAPACITY);
  // Zeros are dropped, so that the last turn needs no care.
  v128.store(end, i8x16.splat(0));
  v128.store(end, i8x16.splat(0), 16);
  return keepsStop ? copyKept(end, true) : copyKept(end, false);
}

/**
 * Each turn takes 32 bytes, up to and with the first run of them that is dropped: a line of FASTA takes two or three.
 * Inlined once for each value of `keepsStop`, since asking costs a sixth of the speed.
 */
// @inline
function copyKept(end: usize, keepsStop: bool): i32 {
  let at = RAW;
  let to = BASES;
  while (at < end) {
    const low = toUpperCase(v128.load(at), keepsStop);
    const high = toUpperCase(v128.load(at, 16), keepsStop);
    v128.store(to, low);
    v128.store(to, high, 16);
    const dropped = ~(keptBits(low, keepsStop) | (keptBits(high, keepsStop) << 16));
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

/** Letters in upper case, and `*` as it is if it is to be kept; other bytes become some other that is dropped. */
// @inline
function toUpperCase(bytes: v128, keepsStop: bool): v128 {
  let cases = i8x16.splat(CASE);
  if (keepsStop) cases = v128.andnot(cases, i8x16.eq(bytes, i8x16.splat(STOP)));
  return v128.andnot(bytes, cases);
}

/** A bit for each of the 16 bytes that is kept. */
// @inline
function keptBits(bytes: v128, keepsStop: bool): u32 {
  let kept = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  if (keepsStop) kept = v128.or(kept, i8x16.eq(bytes, i8x16.splat(STOP)));
  return <u32>i8x16.bitmask(kept);
}
