import { createTransport, type HttpHeaders, type TransportOptions } from '@htskit/http';
import { isStrongEntityTag, parseHttpUrl } from '@htskit/http/internal';
import type { ByteSource } from '@htskit/io';
import { RangedSource } from './ranged-source.js';

export interface HttpSourceOptions extends Omit<TransportOptions, 'signal'> {
  /** Identifies the object in caches. Default: the URL. */
  readonly key?: string;
  /**
   * Sent with each request, but only to the origin of the URL: redirects to other origins do not see them. A function is
   * called for each attempt.
   */
  readonly headers?: HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>) | undefined;
}

/**
 * Returns a source of an object on a server that answers range requests. Its version is the entity tag, or else the
 * modification time and size. Throws TypeError unless the URL is an HTTP(S) URL without credentials.
 *
 * @example
 * const source = httpSource('https://data.example.org/reads.bam');
 * const magic = await source.read({ start: 0, end: 4 });
 */
export function httpSource(url: string | URL, options: HttpSourceOptions = {}): ByteSource {
  const target = parseHttpUrl(String(url));
  if (target === undefined) throw new TypeError('expected an HTTP(S) URL without a user name or password');
  target.hash = '';
  const { key = target.href, headers: originHeaders = {} } = options;
  const object = {
    key,
    request: async (method: 'GET' | 'HEAD', headers: HttpHeaders) => ({
      method,
      url: target.href,
      headers: { 'accept-encoding': 'identity', ...headers },
      originHeaders: typeof originHeaders === 'function' ? await originHeaders() : originHeaders,
    }),
    version: readVersion,
    etagOf: (version: string) => (isStrongEntityTag(version) ? version : undefined),
  };
  return new RangedSource(object, createTransport({ ...options, signal: undefined }));
}

/** Returns the entity tag of a response, or else its modification time and size. */
function readVersion(headers: Headers, size: number): string | undefined {
  const etag = headers.get('etag');
  if (etag !== null && etag !== '') return etag;
  const lastModified = headers.get('last-modified');
  return lastModified === null ? undefined : `${lastModified} ${size}`;
}
