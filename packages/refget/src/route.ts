/** What a path below the mount point means. */
export type Route =
  | { readonly kind: 'service-info' }
  /** `id` is percent-decoded. */
  | { readonly kind: 'sequence' | 'metadata'; readonly id: string };

/** The route of a URL path; undefined if it leads nowhere. A slash at the end is allowed. */
export function parseRoute(pathname: string): Route | undefined {
  const match = /^\/sequence\/([^/]+)(\/metadata)?\/?$/.exec(pathname);
  const id = decodeSegment(match?.[1] ?? '');
  if (id === undefined || id === '') return undefined;
  if (match?.[2] !== undefined) return { kind: 'metadata', id };
  // Before any sequence, so that no id can shadow it.
  return id === 'service-info' ? { kind: 'service-info' } : { kind: 'sequence', id };
}

function decodeSegment(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
