import { onAbort } from '@htskit/io';
import { isDowngrade, parseHttpUrl } from './http-url.js';
import type { Transport } from './transport.js';

export interface ClientRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Sent with every request of a chain of redirects. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only, such as credentials. */
  readonly originHeaders?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Sends a request and follows its redirects. Resolves with the first answer that is none, whatever its status, as soon
 * as its headers are there. Throws NETWORK, STALLED, REDIRECT or INSECURE.
 */
export async function send(transport: Transport, request: ClientRequest): Promise<Response> {
  let { url, originHeaders, method = 'GET', body } = request;
  for (let redirects = 0; redirects <= transport.maxRedirects; redirects++) {
    const headers = { ...request.headers, ...originHeaders };
    const response = await exchange(transport, url, { method, headers, redirect: 'manual', ...(body && { body }) });
    // Browsers do not show where a redirect leads.
    if (response.type === 'opaqueredirect') return followOpaquely(transport, url, { ...request, method, body });
    const location = REDIRECT_STATUSES.includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    discard(response);
    const target = redirectTarget(transport, location, url);
    if (target.origin !== new URL(url).origin) originHeaders = undefined;
    // Only a 303 turns a POST into a GET: the query would be lost with the body.
    if (response.status === 303) [method, body] = ['GET', undefined];
    url = target.href;
  }
  throw transport.createError('REDIRECT', `more than ${transport.maxRedirects} redirects`);
}

function redirectTarget(transport: Transport, location: string, from: string): URL {
  const target = parseHttpUrl(location, from);
  if (target === undefined) {
    throw transport.createError('REDIRECT', 'a redirect leads to what is no HTTP(S) URL, or one with credentials');
  }
  if (isDowngrade(from, target.href) && !transport.allowInsecure) {
    throw transport.createError('INSECURE', 'a redirect leads from https to http');
  }
  return target;
}

/**
 * The browser follows. It drops Authorization where the origin changes, and nothing else: no other header that is for one
 * origin goes with it.
 */
function followOpaquely(transport: Transport, url: string, request: ClientRequest): Promise<Response> {
  const { headers, originHeaders = {}, method, body } = request;
  const authorization = Object.entries(originHeaders).filter(([name]) => name.toLowerCase() === 'authorization');
  const sent = { ...headers, ...Object.fromEntries(authorization) };
  return exchange(transport, url, {
    ...(method && { method }),
    headers: sent,
    redirect: 'follow',
    ...(body && { body }),
  });
}

/** One request, until the headers of its answer are there. */
async function exchange(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  const { signal, stallMilliseconds, sleep, createError } = transport;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = new AbortController();
  let unlink = (): void => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    const interrupt = (reason: unknown): void => {
      controller.abort(reason);
      reject(reason);
    };
    unlink = onAbort(signal, interrupt);
    const giveUp = (): void => {
      if (timer.signal.aborted) return;
      interrupt(createError('STALLED', 'the server does not answer', { isTransient: true }));
    };
    sleep(stallMilliseconds, timer.signal).then(giveUp, giveUp);
  });
  try {
    const fetched = transport.fetch(url, { ...init, signal: controller.signal }).catch((cause: unknown) => {
      throw createError('NETWORK', 'the server cannot be reached', { isTransient: true, cause });
    });
    return await Promise.race([fetched, interrupted]);
  } finally {
    timer.abort();
    unlink();
  }
}

/** Ends an answer whose body is not wanted. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}
