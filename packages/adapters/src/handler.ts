import type { PlainResponse } from '@htskit/http';
import { forwardMembers } from './forward-members.js';

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
 *   return { status: 200, headers: { 'content-type': 'text/plain' }, body: `${pathname}\n` };
 * };
 */
export type Handler = (request: Request) => PlainResponse | Promise<PlainResponse>;

/**
 * A `Request` whose subclass implements the cheap members, such as method, URL and headers. All others are forwarded to a
 * native `Request`, which is constructed when it is first needed: on Node that costs more than the rest of the HTTP
 * exchange, and most handlers do not need it.
 *
 * A view is an instance of `Request` without internal slots: `new Request(view)` and `fetch(view)` throw. `view.clone()` and
 * `new Request(url, view)` return native requests.
 */
export abstract class RequestView {
  /** Returns the native request that members are forwarded to. */
  protected abstract native(): Request;

  /** Returns this object with the type that it has at run time. */
  toRequest(): Request {
    return this as unknown as Request;
  }

  static {
    forwardMembers(RequestView.prototype, Request.prototype, (view) => view.native());
  }
}
