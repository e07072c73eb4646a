const [ZERO, MINUS] = [0x30, 0x2d];
/** Numbers below it have at most nine digits, which 32-bit arithmetic writes. */
const NINE_DIGITS_LIMIT = 1e9;
/** Room that must be free for an integer of 53 bits. */
export const MAX_DECIMAL_LENGTH = 17;
/**
 * The characters of the numbers below 1000, the first one in the lowest byte, and their count in the highest byte. Writing three
 * bytes always, with the next text over those in excess, has no branches that cannot be predicted.
 */
const SHORT_TEXTS = Uint32Array.from({ length: 1000 }, (_, value) =>
  Array.from(String(value)).reduce(
    (text, digit, i) => text | (digit.charCodeAt(0) << (8 * i)),
    String(value).length << 24,
  ),
);

/**
 * Writes the digits of a safe integer at `at`, and returns the offset just after them. `target` must have room for three bytes
 * there even if the number is shorter.
 */
export function writeDecimalAt(target: Uint8Array, at: number, value: number): number {
  if (value >= 0 && value < SHORT_TEXTS.length) {
    const text = SHORT_TEXTS[value] ?? 0;
    target[at] = text;
    target[at + 1] = text >>> 8;
    target[at + 2] = text >>> 16;
    return at + (text >>> 24);
  }
  if (value < 0) {
    target[at] = MINUS;
    return writeDecimalAt(target, at + 1, -value);
  }
  if (value < NINE_DIGITS_LIMIT) return writeDigitsAt(target, at, value, countDigits(value));
  const high = Math.floor(value / NINE_DIGITS_LIMIT);
  return writeDigitsAt(target, writeDecimalAt(target, at, high), value - NINE_DIGITS_LIMIT * high, 9);
}

function countDigits(value: number): number {
  let count = 4;
  for (let limit = 10_000; value >= limit; limit *= 10) count++;
  return count;
}

/** Writes the last `count` digits of an integer from 0 to 999,999,999 at `at`, and returns the offset just after them. */
export function writeDigitsAt(target: Uint8Array, at: number, value: number, count: number): number {
  let rest = value | 0;
  for (let to = at + count - 1; to >= at; to--) {
    // With 32-bit operands, the division is a multiplication.
    const tens = (rest / 10) | 0;
    target[to] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return at + count;
}
