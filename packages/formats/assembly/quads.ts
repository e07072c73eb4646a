// Letters that are packed as codes of two bits each, the first in the highest bits of a byte.

/** Maximum number of bytes that one call unpacks. */
export const capacity: i32 = 16384;

/** Bytes to unpack, written by JavaScript. The last iteration reads up to 15 bytes beyond them. */
export const packed: usize = memory.data(16384 + 16, 16);

/** The letters, four for each byte. The last iteration writes up to 60 beyond them. */
export const letters: usize = memory.data(65536 + 64, 16);

/** Unpacks the first `length` bytes of `packed` into `letters`. `alphabet` holds the letters of the four codes, the first in its lowest byte. */
export function unpack(length: i32, alphabet: i32): void {
  const table = i32x4.splat(alphabet);
  const end = packed + <usize>min<i32>(max<i32>(length, 0), capacity);
  let to = letters;
  for (let at = packed; at < end; at += 16, to += 64) {
    const bytes = v128.load(at);
    const first = letterAt(bytes, 6, table);
    const second = letterAt(bytes, 4, table);
    const third = letterAt(bytes, 2, table);
    const fourth = letterAt(bytes, 0, table);
    const firstHalfLow = interleaveLow(first, second);
    const firstHalfHigh = interleaveHigh(first, second);
    const secondHalfLow = interleaveLow(third, fourth);
    const secondHalfHigh = interleaveHigh(third, fourth);
    v128.store(to, interleavePairsLow(firstHalfLow, secondHalfLow));
    v128.store(to, interleavePairsHigh(firstHalfLow, secondHalfLow), 16);
    v128.store(to, interleavePairsLow(firstHalfHigh, secondHalfHigh), 32);
    v128.store(to, interleavePairsHigh(firstHalfHigh, secondHalfHigh), 48);
  }
}

/** Returns the letter of the code that begins `shift` bits above the lowest bit of each byte. */
// @inline
function letterAt(bytes: v128, shift: i32, table: v128): v128 {
  return i8x16.swizzle(table, v128.and(i8x16.shr_u(bytes, shift), i8x16.splat(3)));
}

// @inline
function interleaveLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @inline
function interleaveHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @inline
function interleavePairsLow(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
function interleavePairsHigh(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
