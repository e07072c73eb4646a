import type { PlainResponse } from '@htskit/protocol';
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
    if (origin === null || origins.includes(origin)) return response;
    for (const name of [...response.headers.keys()]) {
      if (name.startsWith('access-control-')) response.headers.delete(name);
    }
    return response;
  };
}
