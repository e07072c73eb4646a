import { stripPrefix } from '@htskit/http/internal';

/**
 * The origin of every URL that a handler sees. The origin that a client sends, in `Host` or in an absolute-form target,
 * cannot be trusted, and a handler does not need it.
 */
export const ORIGIN = 'http://localhost';

/** Characters that the URL standard does not encode in a path or a query. */
const PLAIN = /^[\w!$%&()*+,\-./:;=?@[\]|~]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * Returns the path and query of an HTTP/1.1 request target (RFC 9112 §3.2) unchanged, or undefined if it is neither in
 * origin form (`/path?query`) nor in absolute form (`http://host/path?query`).
 */
export function parseRequestTarget(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const origin = /^https?:\/\/[^/?#\\]*/i.exec(target);
  return origin === null ? undefined : withSlash(target.slice(origin[0].length));
}

/**
 * Serialises path and query as the URL standard does: resolves dot segments and percent-encodes illegal characters.
 * Characters that are already percent-encoded stay encoded. A backslash in the path is such a character, where the URL standard
 * makes a slash of it: a proxy that checks paths as RFC 3986 has them sees another path then.
 */
export function normalizePath(path: string): string {
  if (PLAIN.test(path) && !DOT_SEGMENT.test(path)) return path;
  const encoded = path.replace(/^[^?#]*/, (segments) => segments.replaceAll('\\', '%5C'));
  const url = new URL(ORIGIN + encoded);
  url.hash = '';
  return url.href.slice(ORIGIN.length);
}

/** Returns path and query relative to a mount point, or undefined if the path is not below it. */
export function toMountedPath(path: string, prefix: string): string | undefined {
  const pathEnd = endOfPath(path);
  const mounted = stripPrefix(path.slice(0, pathEnd), prefix);
  return mounted === undefined ? undefined : mounted + path.slice(pathEnd);
}

/** Removes the first `count` segments of a path. The query stays. */
export function dropSegments(path: string, count: number): string {
  const pathEnd = endOfPath(path);
  let offset = 0;
  for (let dropped = 0; dropped < count && offset < pathEnd; dropped += 1) {
    const slash = path.indexOf('/', offset + 1);
    offset = slash === -1 || slash > pathEnd ? pathEnd : slash;
  }
  return withSlash(path.slice(offset));
}

/** Counts the segments of a route's path before its wildcard. */
export function countSegments(route: string): number {
  return route.split('/').filter((segment) => segment !== '' && segment !== '*').length;
}

function endOfPath(path: string): number {
  const query = path.indexOf('?');
  return query === -1 ? path.length : query;
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}
