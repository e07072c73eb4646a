/** What a 206 says that it holds. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
  /** Bytes of the whole; undefined where the server does not tell. */
  readonly size: number | undefined;
}

/** Parses a `Content-Range` header (RFC 9110 §14.4) into a half-open range; undefined for one that is malformed. */
export function parseContentRange(value: string): ContentRange | undefined {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(value);
  if (match === null) return undefined;
  const [, first, last, size] = match;
  const range = { start: Number(first), end: Number(last) + 1, size: size === '*' ? undefined : Number(size) };
  return range.start < range.end && range.end <= (range.size ?? Infinity) ? range : undefined;
}
