/** What is sent for an attempt. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` alone: they may let the bearer in. */
  readonly ownHeaders?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
  /** Default: as many as browsers follow. */
  readonly maxRedirects?: number;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Fetch, §4.4. */
const MAX_REDIRECTS = 20;
/** What is read of an answer that nobody needs, so that its connection can be used again. */
const MAX_DRAIN_BYTES = 64 * 1024;

/**
 * The answer at the end of the redirects, of which none leads from https to http. The first that is not followed is
 * given instead. A browser does not show redirects: it follows them itself, and drops `Authorization` alone, so that no
 * other header that is for one origin goes with it.
 */
export async function fetchFollowing(
  fetch: typeof globalThis.fetch,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { method, body, maxRedirects = MAX_REDIRECTS } = request;
  let { url } = request;
  let headers = { ...request.headers, ...request.ownHeaders };
  for (let count = 0; ; count++) {
    const init = { method, headers, body: body ?? null, signal };
    const response = await fetch(url.href, { ...init, redirect: 'manual' });
    if (response.type === 'opaqueredirect' && maxRedirects > 0) {
      return fetch(url.href, { ...init, headers: { ...request.headers, ...authorizationOf(request) } });
    }
    const next = count < maxRedirects ? redirectTarget(response, url) : undefined;
    if (next === undefined) return response;
    await drain(response.body?.getReader());
    if (next.origin !== url.origin) headers = { ...request.headers };
    url = next;
  }
}

function authorizationOf({ ownHeaders = {} }: HttpRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(ownHeaders).filter(([name]) => name.toLowerCase() === 'authorization'));
}

function redirectTarget(response: Response, url: URL): URL | undefined {
  const location = response.headers.get('location');
  if (!REDIRECT_STATUSES.has(response.status) || location === null || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  if (target.protocol !== 'https:' && target.protocol !== url.protocol) return undefined;
  return target.username === '' && target.password === '' ? target : undefined;
}

/** Reads the rest of a body, where it is short, and drops it otherwise. Fails as the body does. */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  if (reader === undefined) return;
  let byteLength = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    byteLength += next.value.length;
    if (byteLength > MAX_DRAIN_BYTES) return reader.cancel();
  }
}
