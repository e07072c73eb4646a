const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [LOWER_E, LOWER_X, TO_LOWER_CASE] = [0x65, 0x78, 0x20];
/** Digits whose value 32 bits hold exactly. */
const MAX_SHORT_DIGITS = 9;
/** Digits whose value a double holds exactly. */
const EXACT_DIGITS = 15;
/** The largest power of ten that a double holds exactly. */
const EXACT_EXPONENT = 22;
const POWERS = Float64Array.from({ length: EXACT_EXPONENT + 1 }, (_, exponent) => Number(`1e${exponent}`));
/** A hexadecimal number: its digits, and its power of two. */
const HEX = String.raw`0x([\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p([+-]?\d+))?`;
/** The numbers that C's `strtod` reads, except those that follow a TAB: it ends a value. */
const STRTOD = new RegExp(
  String.raw`^[^\S\t]*([+-]?)(?:${HEX}|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(inf(?:inity)?)|nan(?:\(\w*\))?)`,
  'i',
);
/** Characters that are searched for a number that the fast path does not read. */
const MAX_NUMBER_LENGTH = 400;
const ascii = new TextDecoder('latin1');

/** Reads numbers at the start of texts, as htslib does: a number ends before the first byte that cannot belong to it. */
export class NumberReader {
  /** The offset just after the number that was read last; its start if there was no number. */
  end = 0;

  /** Reads an integer with an optional sign, which is 0 without digits. It is not safe if it is over 2^53. */
  integer(bytes: Uint8Array, start: number): number {
    const first = bytes[start];
    const digitsStart = first === MINUS || first === PLUS ? start + 1 : start;
    let at = digitsStart;
    let value = 0;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0)
      value = (10 * value + byte - ZERO) | 0;
    this.end = at;
    if (at - digitsStart > MAX_SHORT_DIGITS) value = readWide(bytes, digitsStart, at);
    return first === MINUS ? 0 - value : value;
  }

  /** Reads a number of the bytes [start, limit) with optional sign, fraction and exponent, an infinity, or NaN. */
  float(bytes: Uint8Array, start: number, limit: number): number {
    const first = bytes[start];
    let at = first === MINUS || first === PLUS ? start + 1 : start;
    let value = 0;
    let byte = bytes[at] ?? 0;
    if (byte === ZERO && ((bytes[at + 1] ?? 0) | TO_LOWER_CASE) === LOWER_X) return this.#slow(bytes, start, limit);
    const digitsStart = at;
    for (; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) value = value * 10 + byte - ZERO;
    let digits = at - digitsStart;
    if (digits === 0) return this.#slow(bytes, start, limit);
    let exponent = 0;
    if (byte === POINT) {
      const fractionStart = at + 1;
      for (byte = bytes[++at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0)
        value = value * 10 + byte - ZERO;
      exponent = fractionStart - at;
      digits -= exponent;
    }
    if ((byte | TO_LOWER_CASE) === LOWER_E) {
      // Without a digit after it, the letter does not belong to the number.
      exponent += this.integer(bytes, at + 1);
      at = this.end;
      if (!isDigit(bytes[at - 1])) return this.#slow(bytes, start, limit);
    }
    if (digits > EXACT_DIGITS || at > limit || Math.abs(exponent) > EXACT_EXPONENT)
      return this.#slow(bytes, start, limit);
    this.end = at;
    // Both operands are exact, so that the result is the nearest double.
    const size = exponent < 0 ? value / (POWERS[-exponent] ?? 1) : value * (POWERS[exponent] ?? 1);
    return first === MINUS ? -size : size;
  }

  #slow(bytes: Uint8Array, start: number, limit: number): number {
    const text = ascii.decode(bytes.subarray(start, Math.min(limit, start + MAX_NUMBER_LENGTH)));
    const [whole = '', sign, hexDigits, hexExponent = '0', number, infinity] = STRTOD.exec(text) ?? [];
    this.end = start + whole.length;
    if (whole === '') return 0;
    let size = infinity === undefined ? Number.NaN : Number.POSITIVE_INFINITY;
    if (hexDigits !== undefined) size = parseHexFloat(hexDigits, Number(hexExponent));
    else if (number !== undefined) size = Number(number);
    return sign === '-' ? -size : size;
  }
}

/** Returns the value of hexadecimal digits with an optional point, times two to the power of `exponent`. */
function parseHexFloat(digits: string, exponent: number): number {
  const [whole = '', fraction = ''] = digits.split('.');
  const power = exponent - 4 * fraction.length;
  // In two steps, since two to the power may be over or below what a double holds.
  const half = Math.trunc(power / 2);
  return Number(BigInt(`0x${whole}${fraction}`)) * 2 ** half * 2 ** (power - half);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function readWide(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = 10 * value + (bytes[at] ?? 0) - ZERO;
  return value;
}
