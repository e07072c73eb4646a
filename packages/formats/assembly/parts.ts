// Parts of data that are copied one after another, as the lists of a column. Part i is [starts[i], ends[i]) of the data, and none if
// starts[i] is negative. Up to 31 bytes after the data are read, and as many after the last part are written.

/** The letters of the codes of bases (SAMv1 §4.2.3): `=ACMGRSVTWYHKDBN`. */
const LETTERS = i8x16(61, 65, 67, 77, 71, 82, 83, 86, 84, 87, 89, 72, 75, 68, 66, 78);

/** The first address that is free. JavaScript places the data, the places and the copies. */
export const base: usize = (__heap_base + 15) & ~15;

/** Copies `count` parts to `target`. */
export function copy(data: usize, starts: usize, ends: usize, count: i32, target: usize): void {
  let to = target;
  for (let i: i32 = 0; i < count; i++) {
    const start = startAt(starts, i);
    if (start < 0) continue;
    const length = startAt(ends, i) - start;
    const from = data + start;
    for (let at: i32 = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
    to += length;
  }
}

/** Writes the letters of `count` parts to `target`. A part starts with a whole byte, which holds two bases, and has `ends[i] - starts[i]` bases. */
export function unpack(data: usize, starts: usize, ends: usize, count: i32, target: usize): void {
  const mask = i8x16.splat(0xf);
  let to = target;
  for (let i: i32 = 0; i < count; i++) {
    const start = startAt(starts, i);
    const length = startAt(ends, i) - start;
    let from = data + start;
    for (let at: i32 = 0; at < length; at += 32, from += 16) {
      const codes = v128.load(from);
      const first = i8x16.swizzle(LETTERS, v128.and(i8x16.shr_u(codes, 4), mask));
      const second = i8x16.swizzle(LETTERS, v128.and(codes, mask));
      v128.store(to + at, i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
      v128.store(
        to + at,
        i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
        16,
      );
    }
    to += length;
  }
}

// @inline
function startAt(places: usize, index: i32): i32 {
  return load<i32>(places + ((<usize>index) << 2));
}
