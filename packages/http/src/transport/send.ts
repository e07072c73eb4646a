import { onAbort, startTimer } from '@htskit/io/internal';
import { discardBody } from './body.js';
import { MAX_TIMER_MILLISECONDS, type Transport } from './transport.js';

/** Header values by name. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'QUERY';
  /** Sent with every request of a chain of redirects. */
  readonly headers?: HttpHeaders;
  /** Sent to the origin of `url` only: credentials. */
  readonly originHeaders?: HttpHeaders;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** If false, a redirect is the response. Default true. */
  readonly followsRedirects?: boolean;
}

/** Bytes of a request's body that are sent within one time limit. */
const BYTES_PER_LIMIT = 1024 * 1024;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request, follows its redirects, and resolves with the first other response, whatever its status, as soon as its
 * headers have arrived. A function creates the request for this attempt, within the time limit: signatures and tokens stay
 * fresh. Read or discard the body, or the connection stays open. Fails with INVALID_REQUEST, NETWORK, STALLED, REDIRECT,
 * INSECURE, or the reason of the signal.
 *
 * @example
 * const response = await sendRequest(transport, { url, originHeaders: { authorization: `Bearer ${token}` } });
 */
export async function sendRequest(
  transport: Transport,
  request: HttpRequest | (() => Promise<HttpRequest>),
): Promise<Response> {
  const { maxRedirects, redirectHosts, createError } = transport;
  let current = typeof request === 'function' ? await prepareRequest(transport, request) : request;
  const hosts = redirectHosts && [new URL(current.url).host, ...redirectHosts];
  for (let redirectCount = 0; ; redirectCount++) {
    const response = await exchange(transport, current, 'manual');
    if (current.followsRedirects === false) return response;
    if (response.type === 'opaqueredirect' && hosts === undefined)
      return exchange(transport, toOpaqueRequest(current), 'follow');
    const location = REDIRECT_STATUSES.has(response.status) ? response.headers.get('location') : null;
    if (location === null && response.type !== 'opaqueredirect') return response;
    await discardBody(response, transport);
    if (redirectCount === maxRedirects) {
      throw createError({ code: 'REDIRECT', message: `the server redirects more than ${maxRedirects} times` });
    }
    const target = location === null ? undefined : parseLocation(transport, location, current.url);
    if (target === undefined || hosts?.includes(target.host) === false) {
      throw createError({ code: 'REDIRECT', message: 'the server redirects to a host that is not allowed' });
    }
    current = redirectTo(target, current, response.status);
  }
}

/** Runs a step that precedes a request, such as signing it. Fails like `sendRequest`. */
export function prepareRequest<T>(transport: Transport, step: () => Promise<T>): Promise<T> {
  return withinLimit(transport, 1, async () => {
    try {
      return await step();
    } catch (cause) {
      throw transport.createError({ code: 'INVALID_REQUEST', message: 'the request cannot be created', cause });
    }
  });
}

/** Returns an absolute HTTP(S) URL without credentials, or undefined for any other text. `base` resolves relative URLs. */
export function parseHttpUrl(text: string, base?: string): URL | undefined {
  const url = parseUrl(text, base);
  if (url === undefined) return undefined;
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

/** `URL.canParse` would parse valid text twice. */
function parseUrl(text: string, base: string | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns whether going from one URL to another leaves https for http. */
export function isDowngrade(from: string, to: string): boolean {
  return new URL(from).protocol === 'https:' && new URL(to).protocol === 'http:';
}

function parseLocation(transport: Transport, location: string, from: string): URL {
  const target = parseHttpUrl(location, from);
  if (target === undefined) {
    const message = 'the server redirects to something other than an HTTP(S) URL without credentials';
    throw transport.createError({ code: 'REDIRECT', message });
  }
  if (isDowngrade(from, target.href) && !transport.allowInsecure) {
    throw transport.createError({ code: 'INSECURE', message: 'the server redirects from https to http' });
  }
  return target;
}

/** Only a 303 turns a POST into a GET: with the body, an htsget query would be lost. */
function redirectTo(target: URL, request: HttpRequest, status: number): HttpRequest {
  const originHeaders = target.origin === new URL(request.url).origin ? request.originHeaders : undefined;
  const isGet = status === 303 && request.method !== 'HEAD';
  return { ...request, url: target.href, originHeaders, ...(isGet && { method: 'GET', body: undefined }) };
}

/**
 * Browsers hide where a redirect leads and follow it themselves. They drop `Authorization` when the origin changes but no
 * other header, so that no other origin header may be sent.
 */
function toOpaqueRequest(request: HttpRequest): HttpRequest {
  const kept = Object.entries(request.originHeaders ?? {}).filter(([name]) => name.toLowerCase() === 'authorization');
  return { ...request, originHeaders: Object.fromEntries(kept) };
}

async function exchange(transport: Transport, request: HttpRequest, redirect: RequestRedirect): Promise<Response> {
  const { url, method = 'GET', headers, originHeaders, body } = request;
  const init = { method, headers: { ...headers, ...originHeaders }, redirect, body };
  checkHeaders(transport, init.headers);
  const byteLength = typeof body === 'string' ? body.length : (body?.length ?? 0);
  const limitCount = Math.max(1, Math.ceil(byteLength / BYTES_PER_LIMIT));
  return withinLimit(transport, limitCount, async ({ signal }) => {
    try {
      return await transport.fetch(url, { ...init, signal });
    } catch (cause) {
      throw transport.createError({
        code: 'NETWORK',
        message: 'cannot connect to the server',
        isTransient: true,
        cause,
      });
    }
  });
}

/** The error of `fetch` would quote the header, which may be a secret. */
function checkHeaders({ createError }: Transport, headers: HttpHeaders): void {
  try {
    new Headers(headers);
  } catch {
    throw createError({ code: 'INVALID_REQUEST', message: 'a request header has an invalid name or value' });
  }
}

/**
 * Runs one step of an exchange. Aborts it and fails at once, whatever it does, if it takes too long or the signal is aborted. The step
 * receives the controller, because a signal that is not read is never created.
 */
async function withinLimit<T>(
  transport: Transport,
  limitCount: number,
  step: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMilliseconds, createError } = transport;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let interrupt = (_reason: unknown): void => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const stopListening = onAbort(signal, interrupt);
  const milliseconds = Math.min(timeoutMilliseconds * limitCount, MAX_TIMER_MILLISECONDS);
  const stopTimer = startTimer(transport, milliseconds, () => {
    interrupt(createError({ code: 'STALLED', message: 'the server does not respond', isTransient: true }));
  });
  try {
    return await Promise.race([step(controller), interrupted]);
  } finally {
    stopTimer();
    stopListening();
  }
}
