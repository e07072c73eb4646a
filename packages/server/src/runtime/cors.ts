import { corsHeaders } from '@htskit/http';
import type { RoutedHandler } from './request-route.js';

/** The origins whose scripts may read the responses. */
export type CorsOrigins = '*' | readonly string[];

/** Returns a handler that removes the CORS headers from responses to other origins. */
export function withOrigins(handler: RoutedHandler, origins: CorsOrigins): RoutedHandler {
  if (origins === '*') return handler;
  return async (request, route) => {
    const response = await handler(request, route);
    const origin = request.headers.get('origin');
    if (mayRead(origin, origins)) return response;
    const { status, body } = response;
    const headers = new Headers(response.headers);
    for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
    return { status, headers, body };
  };
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
