/**
 * Returns whether an If-None-Match header names the entity tag, by weak comparison (RFC 9110 §13.1.2). The tag must not
 * contain a comma.
 *
 * @example
 * matchesIfNoneMatch('W/"a", "b"', '"a"'); // true
 */
export function matchesIfNoneMatch(header: string | null, entityTag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/**
 * Returns whether the Range header applies: there is no If-Range header, or it matches the entity tag by strong comparison
 * (RFC 9110 §13.1.5). A date never matches, nor does a representation without a tag.
 *
 * @example
 * ifRangeMatches('"a"', '"b"'); // false: the range is ignored
 */
export function ifRangeMatches(ifRange: string | null, entityTag: string | undefined): boolean {
  return ifRange === null || ifRange.trim() === entityTag;
}

/**
 * Returns whether an entity tag is strong, so that equal tags mean equal bytes and `If-Match` can match it (RFC 9110
 * §8.8.3, §13.1.1).
 *
 * @example
 * isStrongEntityTag('"a"'); // true
 * isStrongEntityTag('W/"a"'); // false
 */
export function isStrongEntityTag(value: string): boolean {
  return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(value);
}
