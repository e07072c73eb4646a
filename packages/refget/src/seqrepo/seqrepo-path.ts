import { decodePathPart, stripPrefix } from '@htskit/http/internal';

/** A resource of the REST service of SeqRepo. `alias` is percent-decoded. */
export type SeqRepoPath =
  | { readonly kind: 'ping' }
  | { readonly kind: 'sequence' | 'metadata'; readonly alias: string };

/**
 * Classifies the path of a request to a handler that is mounted at `prefix`, `/1/…` below it. Returns undefined for a path that is
 * not a resource. Slashes of an alias need not be encoded.
 */
export function parseSeqRepoPath(pathname: string, prefix?: string): SeqRepoPath | undefined {
  const path = stripPrefix(pathname, prefix) ?? '';
  if (/^\/1\/ping\/?$/.test(path)) return { kind: 'ping' };
  const [, kind, encoded = ''] = /^\/1\/(sequence|metadata)\/(.+?)\/?$/.exec(path) ?? [];
  const alias = decodePathPart(encoded);
  if (alias === undefined || (kind !== 'sequence' && kind !== 'metadata')) return undefined;
  return { kind, alias };
}
