/** Characters of lines. */
export const ZERO = 0x30;
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
const POINT = 0x2e;

/** Writes an integer from 0 to 2^32 − 1, and returns the offset after it. */
export function writeDigits(memory: Uint8Array, start: number, value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    // A quotient of 32 bits needs no floating point.
    const tens = (rest / 10) >>> 0;
    memory[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}

/** Decimals of a mean, and the factor that makes them an integer. */
const [DECIMALS, SCALE] = [4, 10_000];

/** Writes a number from 0 to 2^32 − 1 with up to four decimals, and returns the offset after it. */
export function writeDecimal(memory: Uint8Array, start: number, value: number): number {
  const scaled = Math.round(value * SCALE);
  const whole = Math.floor(scaled / SCALE);
  let fraction = scaled - whole * SCALE;
  let at = writeDigits(memory, start, whole);
  if (fraction > 0) memory[at++] = POINT;
  for (let place = 0, unit = SCALE / 10; place < DECIMALS && fraction > 0; place++, unit /= 10) {
    const digit = Math.floor(fraction / unit);
    memory[at++] = ZERO + digit;
    fraction -= digit * unit;
  }
  return at;
}
