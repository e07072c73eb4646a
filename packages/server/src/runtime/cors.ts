import { corsHeaders, type PlainResponse } from '@htskit/http';
import { isHeaders } from '@htskit/http/internal';
import type { RoutedHandler } from './request-route.js';

/** The origins whose scripts may read the responses. */
export type CorsOrigins = '*' | readonly string[];

/** Returns a handler that removes the CORS headers from responses to other origins, and lets no response allow all origins. */
export function withOrigins(handler: RoutedHandler, origins: CorsOrigins): RoutedHandler {
  if (origins === '*') return handler;
  return async (request, route) => {
    const response = await handler(request, route);
    const origin = request.headers.get('origin');
    const isForAll = allowedOrigin(response) === '*';
    if (mayRead(origin, origins) && !isForAll) return response;
    const headers = new Headers(response.headers);
    if (isForAll) headers.append('vary', 'Origin');
    if (isForAll && origin !== null && mayRead(origin, origins)) headers.set(ALLOW_ORIGIN, origin);
    else for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
    const { status, body, onSent } = response;
    return { status, headers, body, ...(onSent && { onSent }) };
  };
}

const ALLOW_ORIGIN = 'access-control-allow-origin';

function allowedOrigin({ headers }: PlainResponse): string | null | undefined {
  return isHeaders(headers) ? headers.get(ALLOW_ORIGIN) : headers[ALLOW_ORIGIN];
}

/** Returns the CORS headers of a response to a request from an origin, if there is one. */
export function originHeaders(origin: string | undefined, origins: CorsOrigins): Readonly<Record<string, string>> {
  const isAllowed = origin !== undefined && mayRead(origin, origins);
  return corsHeaders({ headers: { get: () => (isAllowed ? origin : null) } });
}

/** A request without an origin does not come from a script. */
function mayRead(origin: string | null, origins: CorsOrigins): boolean {
  return origin === null || origins === '*' || origins.includes(origin);
}
