// Refget 2.0.0, "Checksum algorithm" 1: drops all bytes but letters, and converts letters to upper case. `samtools dict` keeps
// every printable character instead.
import { BASES, CAPACITY, RAW } from './areas';

/** The bit that distinguishes lower case from upper case. */
const CASE: i8 = 0x20;

/**
 * Writes the letters of the first `length` bytes of RAW, or all printable characters, to BASES in upper case. Returns their
 * number, or its bitwise complement if white space is not all that was dropped.
 */
export function normalize(length: i32, isPrintable: bool): i32 {
  const end = RAW + <usize>min<i32>(max<i32>(length, 0), CAPACITY);
  // Spaces are dropped, so the last iteration needs no special case.
  v128.store(end, i8x16.splat(0x20));
  v128.store(end, i8x16.splat(0x20), 16);
  return isPrintable ? copyKept(end, true) : copyKept(end, false);
}

/**
 * Each iteration consumes up to 32 bytes, up to the end of the first run of dropped bytes: a line of FASTA takes two or
 * three. Inlined once for each value of `isPrintable`, since checking it would cost a sixth of the speed.
 */
// @inline
function copyKept(end: usize, isPrintable: bool): i32 {
  let at = RAW;
  let to = BASES;
  let others: u32 = 0;
  while (at < end) {
    const low = v128.load(at);
    const high = v128.load(at, 16);
    const upperLow = toUpperCase(low, isPrintable);
    const upperHigh = toUpperCase(high, isPrintable);
    v128.store(to, upperLow);
    v128.store(to, upperHigh, 16);
    const dropped = ~(keptBits(upperLow, isPrintable) | (keptBits(upperHigh, isPrintable) << 16));
    if (dropped == 0) {
      at += 32;
      to += 32;
    } else {
      others |= dropped & ~(whiteBits(low) | (whiteBits(high) << 16));
      const before = ctz<u32>(dropped);
      to += <usize>before;
      at += <usize>(before + ctz<u32>(~(dropped >> before)));
    }
  }
  const written = <i32>(to - BASES);
  return others == 0 ? written : ~written;
}

/** Converts letters to upper case. Unless they are kept, other bytes may change, to bytes that are dropped, too. */
// @inline
function toUpperCase(bytes: v128, isPrintable: bool): v128 {
  let cases = i8x16.splat(CASE);
  if (isPrintable) cases = v128.and(cases, i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x61)), i8x16.splat(26)));
  return v128.andnot(bytes, cases);
}

/** Returns a bit for each of the 16 bytes, set if the byte is kept. */
// @inline
function keptBits(bytes: v128, isPrintable: bool): u32 {
  const first: i8 = isPrintable ? 0x21 : 0x41;
  const count: i8 = isPrintable ? 94 : 26;
  return <u32>i8x16.bitmask(i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count)));
}

/** Returns a bit for each of the 16 bytes, set if the byte is white space. */
// @inline
function whiteBits(bytes: v128): u32 {
  const controls = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x09)), i8x16.splat(5));
  return <u32>i8x16.bitmask(v128.or(controls, i8x16.eq(bytes, i8x16.splat(0x20))));
}
