import type { PlainResponse } from '@htskit/http';

/**
 * Answers every request below the path at which it is mounted. The path of `request.url` is relative to that path, and the
 * host of the URL is always `localhost`.
 *
 * A `PlainResponse` is a `Response` or an object with the same `status`, `headers` and `body`. On Node, constructing a
 * `Response` and reading it costs more than the rest of a short HTTP exchange (README, Performance).
 *
 * @example
 * const handler: Handler = (request) => {
 *   const { pathname } = new URL(request.url);
 *   return { status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body: `${pathname}\n` };
 * };
 */
export type Handler = (request: Request) => PlainResponse | Promise<PlainResponse>;
