/**
 * The origin of every URL that a handler sees. What a client writes into `Host` or into an absolute-form target is not
 * to be trusted, and a handler has no need of it.
 */
export const ORIGIN = 'http://localhost';

/** Characters that the URL standard leaves as they are, in a path as in a query. */
const PLAIN = /^[\w!$%&()*+,\-./:;=?@[\]|~]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * Path and query of an HTTP/1.1 request target (RFC 9112 §3.2), as they were sent. Undefined for what is neither
 * origin-form (`/path?query`) nor absolute-form (`http://host/path?query`).
 */
export function parseRequestTarget(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target);
  return origin === null ? undefined : withSlash(target.slice(origin[0].length));
}

/**
 * Path and query as the URL standard serialises them: dot segments are resolved and illegal characters are
 * percent-encoded; what was percent-encoded stays as it is.
 */
export function normalizePath(path: string): string {
  if (PLAIN.test(path) && !DOT_SEGMENT.test(path)) return path;
  const url = new URL(ORIGIN + path);
  url.hash = '';
  return url.href.slice(ORIGIN.length);
}

/** What follows `prefix` in a path; undefined if the path is not below it. */
export function stripPrefix(path: string, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  return /^[/?]|^$/.test(rest) ? withSlash(rest) : undefined;
}

/** A path without its first `count` segments. */
export function dropSegments(path: string, count: number): string {
  const query = path.indexOf('?');
  const pathEnd = query === -1 ? path.length : query;
  let at = 0;
  for (let dropped = 0; dropped < count && at < pathEnd; dropped += 1) {
    const slash = path.indexOf('/', at + 1);
    at = slash === -1 || slash > pathEnd ? pathEnd : slash;
  }
  return withSlash(path.slice(at));
}

/** The number of segments of a route's path that stand before its wildcard. */
export function countSegments(route: string): number {
  return route.split('/').filter((segment) => segment !== '' && segment !== '*').length;
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}
