import { decodePercents } from '@htskit/io/internal';

/** ENCODED: the body has a content coding. NOT_UTF8: it is not UTF-8, or says so. TOO_LARGE: it exceeds the limit. */
export type RequestBodyErrorCode = 'ENCODED' | 'NOT_UTF8' | 'TOO_LARGE';

/** A request body that cannot be read. The message may be shown to clients; each protocol maps the code to its own error. */
export class RequestBodyError extends Error {
  override readonly name = 'RequestBodyError';
  readonly code: RequestBodyErrorCode;

  constructor(code: RequestBodyErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Charsets whose bytes are UTF-8. */
const UTF8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Returns the request's body as text, which is empty if the request has none. The media type is ignored, since client libraries
 * add theirs: htsjdk sends JSON as `application/x-www-form-urlencoded`. Reads at most one chunk past `maxBytes`. Throws
 * `RequestBodyError`.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<string> {
  checkEncoding(request.headers);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let byteLength = 0;
  const reader = request.body?.getReader();
  if (reader === undefined) return text;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      byteLength += read.value.length;
      if (byteLength > maxBytes) throw new RequestBodyError('TOO_LARGE', `the body is longer than ${maxBytes} bytes`);
      text += decoder.decode(read.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    await reader.cancel(error);
    if (error instanceof TypeError) throw new RequestBodyError('NOT_UTF8', 'the body is not UTF-8', { cause: error });
    throw error;
  }
}

/** Decodes a part of a URL path. Returns undefined if it is not percent-encoded UTF-8. */
export function decodePathPart(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Throws `RequestBodyError` for headers that declare another charset than UTF-8, or a content coding (RFC 9110 §8.4). */
function checkEncoding(headers: Headers): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";,]*)/i.exec(headers.get('content-type') ?? '') ?? [];
  if (!UTF8.test(charset)) throw new RequestBodyError('NOT_UTF8', 'the body of a POST must be JSON in UTF-8');
  const coding = headers.get('content-encoding') ?? '';
  if (!/^(?:identity)?$/i.test(coding)) {
    throw new RequestBodyError('ENCODED', 'the body of a POST must have no Content-Encoding');
  }
}

/**
 * Returns the part of a URL path after the prefix that a handler is mounted at, beginning with `/`, or undefined if the
 * path lies outside of it. A trailing slash of the prefix is ignored; without a prefix the path is returned as it is.
 */
export function stripPrefix(pathname: string, prefix = ''): string | undefined {
  const mount = prefix.replace(/\/+$/, '');
  if (!pathname.startsWith(mount)) return undefined;
  const rest = pathname.slice(mount.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}

/** The parameters of a query, such as `URLSearchParams`. */
export interface RequestParameters extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
}

/**
 * Returns the query parameters of a request as `URLSearchParams` have them, except that bytes that are not UTF-8 are decoded by
 * `decodeText` of `@htskit/io`: different names stay different. Parsing all of the URL takes several times as long, a tenth of a
 * short exchange.
 */
export function queryParameters({ url }: { readonly url: string }): RequestParameters {
  const [target = ''] = url.split('#', 1);
  const start = target.indexOf('?');
  const pairs = start === -1 ? [] : target.slice(start + 1).split('&');
  const entries = pairs.filter((pair) => pair !== '').map(decodePair);
  const getAll = (name: string): string[] => entries.filter(([known]) => known === name).map(([, value]) => value);
  return {
    get: (name) => getAll(name)[0] ?? null,
    getAll,
    has: (name) => entries.some(([known]) => known === name),
    [Symbol.iterator]: () => entries.values(),
  };
}

function decodePair(pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf('=');
  const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  return [decodePercents(name.replaceAll('+', ' ')), decodePercents(value.replaceAll('+', ' '))];
}

/**
 * The parts of a `Response`, for servers that can send them without one: `@htskit/adapters` does. On Node.js, constructing
 * and reading a `Response` takes longer than the rest of a short answer. Every `Response` is also a `PlainResponse`.
 */
export interface PlainResponse {
  readonly status: number;
  /** Names of a record are in lower case. A record costs a fifth of `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | string | null;
  /** Called once the response was sent or given up, by servers that know: no byte of the body is used any more. */
  readonly onSent?: () => void;
}

/**
 * Returns whether headers are `Headers` rather than a record. The class may be another than the global one, as in a `Response`
 * of the npm package undici.
 */
export function isHeaders(headers: PlainResponse['headers']): headers is Headers {
  return Symbol.iterator in headers;
}

/**
 * Returns the `Response` with these parts, or the argument itself if it is one.
 *
 * @example
 * const response = toResponse({ status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body: 'ACGT' });
 */
export function toResponse(response: PlainResponse): Response {
  if (response instanceof Response) return response;
  const { status, headers, body } = response;
  return new Response(body as BodyInit | null, { status, headers });
}

/**
 * Returns the JSON text of a value in ASCII, for bodies whose media type says `charset=us-ascii`. All other characters are
 * escaped, so that names in any script survive.
 */
export function toAsciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
