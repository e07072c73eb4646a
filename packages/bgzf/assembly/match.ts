/** For each distance below 16, the 16 bytes that repeat its bytes: indexes into those. */
const PATTERNS: usize = memory.data(16 * 16, 16);
/** For each distance below 16, its greatest multiple that is not above 16. */
const STEPS: usize = memory.data(16, 16);

/** Writes the patterns; done once. */
export function prepareMatches(): void {
  for (let distance: usize = 1; distance < 16; distance += 1) {
    for (let index: usize = 0; index < 16; index += 1) store<u8>(PATTERNS + (distance << 4) + index, <u8>(index % distance));
    store<u8>(STEPS + distance, <u8>(16 - (16 % distance)));
  }
}

/**
 * Repeats `length` bytes (3 to 258) from `distance` (1 to 32768) bytes before `out`, 16 at a time, so that up to 15 more
 * are written.
 */
@inline
export function copyMatch(out: usize, distance: i32, length: i32): void {
  const end = out + length;
  let to = out;
  let from = to - distance;
  if (distance >= 16) {
    v128.store(to, v128.load(from));
    if (length > 16) {
      do {
        from += 16;
        to += 16;
        v128.store(to, v128.load(from));
      } while (to + 16 < end);
    }
    return;
  }
  const bytes = i8x16.swizzle(v128.load(from), v128.load(distance << 4, PATTERNS));
  const step = <usize>load<u8>(distance, STEPS);
  do {
    v128.store(to, bytes);
    to += step;
  } while (to < end);
}
