/** For each distance below 16: the indexes of the 16 bytes that repeat its bytes. */
const PATTERNS: usize = memory.data(16 * 16, 16);
/** For each distance below 16: its largest multiple up to 16. */
const STEPS: usize = memory.data(16, 16);

/** Writes the patterns. Runs once. */
export function prepareMatches(): void {
  for (let distance: usize = 1; distance < 16; distance += 1) {
    const pattern = PATTERNS + (distance << 4);
    for (let index: usize = 0; index < 16; index += 1) store<u8>(pattern + index, <u8>(index % distance));
    store<u8>(STEPS + distance, <u8>(16 - (16 % distance)));
  }
}

/**
 * Repeats `length` bytes (3 to 258) from `distance` (1 to 32768) bytes before `out`, and may write 31 more bytes. Most
 * matches are at most 32 bytes long, so 32 bytes are copied without a check.
 */
// @inline
export function copyMatch(out: usize, distance: i32, length: i32): void {
  const end = out + length;
  let to = out;
  let from = out - distance;
  if (distance >= 16) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    if (length <= 32) return;
    to += 32;
    from += 32;
    do {
      v128.store(to, v128.load(from));
      from += 16;
      to += 16;
    } while (to < end);
    return;
  }
  const bytes = i8x16.swizzle(v128.load(from), v128.load(distance << 4, PATTERNS));
  const step = <usize>load<u8>(distance, STEPS);
  do {
    v128.store(to, bytes);
    to += step;
  } while (to < end);
}
