export interface CacheControlOptions {
  /** Whether the answer to this URL can never change. */
  readonly isImmutable: boolean;
  /** Whether anybody may see the answer. */
  readonly isPublic: boolean;
}

/** The Cache-Control of an answer that has an entity tag: good for a year, or checked each time. */
export function cacheControl({ isImmutable, isPublic }: CacheControlOptions): string {
  const audience = isPublic ? 'public' : 'private';
  return isImmutable ? `${audience}, max-age=31536000, immutable` : `${audience}, no-cache`;
}
