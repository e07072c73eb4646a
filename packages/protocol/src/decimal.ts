/**
 * Parses an unsigned decimal integer of at most `maximum`: ASCII digits and nothing else. Undefined for any other text.
 */
export function parseDecimal(text: string, maximum: bigint): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const digits = text.replace(/^0+(?=\d)/, '');
  // Bounds the work of BigInt, which grows faster than the text.
  if (digits.length > maximum.toString().length) return undefined;
  const value = BigInt(digits);
  return value <= maximum ? value : undefined;
}
