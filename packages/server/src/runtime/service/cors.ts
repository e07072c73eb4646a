import { corsHeaders } from '@htskit/http';
import type { Handler } from './handlers.js';

/** The origins whose scripts may read the responses. */
export type CorsOrigins = '*' | readonly string[];

/** Returns a handler that removes the CORS headers from responses to other origins. */
export function withOrigins(handler: Handler, origins: CorsOrigins): Handler {
  if (origins === '*') return handler;
  return async (request) => {
    const response = await handler(request);
    const origin = request.headers.get('origin');
    if (mayRead(origin, origins)) return response;
    for (const name of [...response.headers.keys()]) {
      if (name.startsWith('access-control-')) response.headers.delete(name);
    }
    return response;
  };
}

/** Returns the CORS headers of a response to a request from an origin, if there is one. */
export function originHeaders(origin: string | undefined, origins: CorsOrigins): Readonly<Record<string, string>> {
  const isAllowed = origin !== undefined && mayRead(origin, origins);
  return corsHeaders({ headers: new Headers(isAllowed ? { origin } : {}) });
}

/** A request without an origin does not come from a script. */
function mayRead(origin: string | null, origins: CorsOrigins): boolean {
  return origin === null || origins === '*' || origins.includes(origin);
}
