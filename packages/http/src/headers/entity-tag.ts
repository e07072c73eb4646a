/**
 * Whether the If-None-Match header names the entity tag, by weak comparison (RFC 9110 §13.1.2). The tag must hold no
 * comma.
 */
export function matchesIfNoneMatch(header: string | null, entityTag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}

/**
 * Whether the If-Range header, if there is one, leaves the Range header in force (RFC 9110 §13.1.5): by strong comparison; a
 * date never matches, and nothing does what has no tag.
 */
export function ifRangeMatches(ifRange: string | null, entityTag: string | undefined): boolean {
  return ifRange === null || ifRange.trim() === entityTag;
}
