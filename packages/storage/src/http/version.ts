/** An entity-tag that stands for exactly these bytes (RFC 9110 §8.8.3). */
const STRONG_ETAG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Headers of an answer. */
export type ReadHeader = (name: string) => string | null;

/**
 * The version that an answer is of: its entity-tag; without one, its time of modification and size; without either,
 * undefined.
 */
export function readVersion(header: ReadHeader, size: number): string | undefined {
  const etag = header('etag');
  if (etag !== null && etag !== '') return etag;
  const lastModified = header('last-modified');
  return lastModified === null ? undefined : `${lastModified} ${size}`;
}

/** Whether `If-Match` can ask for the entity-tag: weak ones never match (RFC 9110 §13.1.1). */
export function isStrongEtag(etag: string): boolean {
  return STRONG_ETAG.test(etag);
}
