const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [LOWER_E, LOWER_X, TO_LOWER_CASE] = [0x65, 0x78, 0x20];
/** Digits whose value a double holds exactly. */
const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);
/** The numbers that C's `strtod` reads, except hexadecimal ones. */
const STRTOD = /^\s*([+-]?)(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(inf(?:inity)?)|nan(?:\(\w*\))?)/i;
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
    let at = first === MINUS || first === PLUS ? start + 1 : start;
    let value = 0;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0)
      value = value * 10 + byte - ZERO;
    this.end = at;
    return first === MINUS ? -value : value;
  }

  /** Reads a number of the bytes [start, limit) with optional sign, fraction and exponent, an infinity, or NaN. */
  float(bytes: Uint8Array, start: number, limit: number): number {
    const first = bytes[start];
    let at = first === MINUS || first === PLUS ? start + 1 : start;
    const digitsStart = at;
    let value = 0;
    let byte = bytes[at] ?? 0;
    if (byte === ZERO && ((bytes[at + 1] ?? 0) | TO_LOWER_CASE) === LOWER_X) return this.#slow(bytes, start, limit);
    for (; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) value = value * 10 + byte - ZERO;
    const integerDigits = at - digitsStart;
    let fractionDigits = 0;
    if (byte === POINT) {
      for (byte = bytes[++at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) {
        value = value * 10 + byte - ZERO;
        fractionDigits++;
      }
    }
    const isSimple = integerDigits > 0 && integerDigits + fractionDigits <= EXACT_DIGITS;
    if (!isSimple || (byte | TO_LOWER_CASE) === LOWER_E || at > limit) return this.#slow(bytes, start, limit);
    this.end = at;
    const size = value / (POWERS[fractionDigits] ?? 1);
    return first === MINUS ? -size : size;
  }

  #slow(bytes: Uint8Array, start: number, limit: number): number {
    const text = ascii.decode(bytes.subarray(start, Math.min(limit, start + MAX_NUMBER_LENGTH)));
    const [whole = '', sign, number, infinity] = STRTOD.exec(text) ?? [];
    this.end = start + whole.length;
    if (whole === '') return 0;
    const size =
      number === undefined ? (infinity === undefined ? Number.NaN : Number.POSITIVE_INFINITY) : Number(number);
    return sign === '-' ? -size : size;
  }
}
