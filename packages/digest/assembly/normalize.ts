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
 * three. The lines after it are likely to be as long, which saves finding their ends. Inlined once for each value of
 * `isPrintable`, since checking it would cost a sixth of the speed.
 */
// @inline
function copyKept(end: usize, isPrintable: bool): i32 {
  let at = RAW;
  let to = BASES;
  let lineStart = RAW;
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
      const run = ctz<u32>(~(dropped >> before));
      to += <usize>before;
      at += <usize>(before + run);
      const bases = at - lineStart - <usize>run;
      if (run == 1 && bases >= 32) {
        const lines = copyLines(at, to, bases, end, isPrintable);
        at += lines * (bases + 1);
        to += lines * bases;
      }
      lineStart = at;
    }
  }
  const written = <i32>(to - BASES);
  return others == 0 ? written : ~written;
}

/**
 * Copies the lines from `at` on that consist of `bases` kept bytes, at least 32, and a line feed, up to the first other line.
 * Returns their number. Takes half of the time of the iterations above: no address depends on a byte that was read before.
 */
// @inline
function copyLines(at: usize, to: usize, bases: usize, end: usize, isPrintable: bool): usize {
  let lines: usize = 0;
  const tail = bases - 32;
  for (; at + bases < end; at += bases + 1, to += bases) {
    let kept = copyVectors(at + tail, to + tail, isPrintable);
    for (let offset: usize = 0; offset < tail; offset += 32) {
      kept = v128.and(kept, copyVectors(at + offset, to + offset, isPrintable));
    }
    if (!i8x16.all_true(kept) || load<u8>(at + bases) != 0x0a) break;
    lines++;
  }
  return lines;
}

/** Copies 32 bytes in upper case. Returns a vector without a zero byte if all of them are kept. */
// @inline
function copyVectors(at: usize, to: usize, isPrintable: bool): v128 {
  const low = toUpperCase(v128.load(at), isPrintable);
  const high = toUpperCase(v128.load(at, 16), isPrintable);
  v128.store(to, low);
  v128.store(to, high, 16);
  return v128.and(isKept(low, isPrintable), isKept(high, isPrintable));
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
  return <u32>i8x16.bitmask(isKept(bytes, isPrintable));
}

/** Returns all bits set in each byte that is kept. */
// @inline
function isKept(bytes: v128, isPrintable: bool): v128 {
  const first: i8 = isPrintable ? 0x21 : 0x41;
  const count: i8 = isPrintable ? 94 : 26;
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count));
}

/** Returns a bit for each of the 16 bytes, set if the byte is white space. */
// @inline
function whiteBits(bytes: v128): u32 {
  const controls = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x09)), i8x16.splat(5));
  return <u32>i8x16.bitmask(v128.or(controls, i8x16.eq(bytes, i8x16.splat(0x20))));
}
