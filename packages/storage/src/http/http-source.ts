import type { ByteSource } from '@htskit/io';
import { RangedSource } from './ranged-source.js';
import { type HttpOptions, toTransport } from './transport.js';
import { isStrongEtag, readVersion } from './version.js';

/** Headers by their names. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpSourceOptions extends HttpOptions {
  /** Identifies the object in caches. Default: the URL. */
  readonly key?: string | undefined;
  /**
   * Sent with each request, to the URL's own origin alone: other origins that it redirects to do not see them. A
   * function is called for each attempt.
   */
  readonly headers?: HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>) | undefined;
}

/**
 * A source of an object on a server that answers requests for ranges. Its version is the entity-tag, or else the time of
 * modification and the size. Throws TypeError unless the URL is one of http or https, without a user name.
 */
export function httpSource(url: string | URL, options: HttpSourceOptions = {}): ByteSource {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '') {
    throw new TypeError('expected a URL of http or https, without a user name or password');
  }
  target.hash = '';
  const { key = target.href, headers: ownHeaders = {} } = options;
  const object = {
    key,
    request: async (method: 'GET' | 'HEAD', headers: HttpHeaders) => ({
      method,
      url: target,
      headers: { 'accept-encoding': 'identity', ...headers },
      ownHeaders: typeof ownHeaders === 'function' ? await ownHeaders() : ownHeaders,
    }),
    version: readVersion,
    etagOf: (version: string) => (isStrongEtag(version) ? version : undefined),
  };
  return new RangedSource(object, toTransport(options));
}
