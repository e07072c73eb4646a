import { corsHeaders, type PlainResponse } from '@htskit/http';
import type { Handler } from './app.js';

/** Whose scripts may read the answers. */
export type CorsOrigins = '*' | readonly string[];

/** The handler, whose answers only scripts of these origins may read: the others get no CORS headers. */
export function withOrigins<Answer extends PlainResponse>(
  handler: Handler<Answer>,
  origins: CorsOrigins,
): Handler<Answer> {
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

/** The CORS headers of an answer to a request from an origin, if it is from any. */
export function originHeaders(origin: string | undefined, origins: CorsOrigins): Readonly<Record<string, string>> {
  const isTold = origin !== undefined && mayRead(origin, origins);
  return corsHeaders({ headers: new Headers(isTold ? { origin } : {}) });
}

/** Without an origin it is no script that asks. */
function mayRead(origin: string | null, origins: CorsOrigins): boolean {
  return origin === null || origins === '*' || origins.includes(origin);
}
