import type { ByteSource } from '@htskit/io';
import { pathOfUrl, pathSource } from '#path-source';
import { type HttpSourceOptions, httpSource } from '../http/http-source.js';

/** The message for a location that `locationSource` cannot open. */
export const NO_LOCAL_FILES = 'expected an HTTP(S) URL or a source: this runtime has no local files';

/**
 * Returns a source of the file at an HTTP(S) URL or, in Node, Bun and Deno, at a path or a `file:` URL. Returns undefined for a
 * path in other runtimes, which have no files.
 */
export function locationSource(location: string | URL, http?: Omit<HttpSourceOptions, 'key'>): ByteSource | undefined {
  if (isHttpUrl(location)) return httpSource(location, http);
  const path = location instanceof URL ? pathOfUrl?.(location) : location;
  return path === undefined ? undefined : pathSource?.(path);
}

/** Returns whether a location is an HTTP(S) URL. */
export function isHttpUrl(location: string | URL): boolean {
  return /^https?:/i.test(String(location));
}
