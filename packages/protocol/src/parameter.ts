/** The part of `URLSearchParams` that parsers need. */
export type QueryParameters = Pick<URLSearchParams, 'get' | 'getAll' | 'has'>;

const MAX_QUOTED_LENGTH = 40;

/**
 * Parses an unsigned decimal integer of at most `maximum`. Only ASCII digits are accepted, with any number of leading
 * zeros; for any other text the result is undefined.
 */
export function parseDecimal(text: string, maximum: bigint): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  // 15 digits are a safe integer. A body may have tens of thousands of coordinates, and this takes a third of the time.
  if (text.length <= 15) {
    const value = BigInt(Number(text));
    return value <= maximum ? value : undefined;
  }
  const digits = text.replace(/^0+(?=\d)/, '');
  // The cost of BigInt grows faster than the length of the text, so long numbers are rejected first.
  if (digits.length > maximum.toString().length) return undefined;
  const value = BigInt(digits);
  return value <= maximum ? value : undefined;
}

/**
 * Quotes a value for an error message: in double quotes, with control characters escaped, and cut after 40 characters so
 * that a hostile request cannot fill a log.
 */
export function quote(text: string): string {
  const isLong = text.length > MAX_QUOTED_LENGTH;
  return JSON.stringify(isLong ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);
}
