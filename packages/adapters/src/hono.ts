import { toResponse } from '@htskit/http';
import { type Handler, RequestView } from './handler.js';
import { countSegments, dropSegments, ORIGIN, parseRequestTarget } from './request-target.js';

export type { PlainResponse } from '@htskit/http';
export type { Handler } from './handler.js';

/** The part of a Hono context that the adapter needs. */
export interface HonoContext {
  readonly req: { readonly raw: Request; readonly routePath: string };
}

/**
 * Converts a handler to a Hono handler, which answers every request that its route matches. The segments before the `*` of
 * the route are the mount point. An error that the handler throws is passed to `app.onError`.
 *
 * @example
 * import { Hono } from 'hono';
 *
 * const app = new Hono();
 * app.all('/prefix/*', toHono(handler));
 */
export function toHono(handler: Handler): (context: HonoContext) => Promise<Response> {
  return async ({ req: { raw, routePath } }) => {
    const path = dropSegments(parseRequestTarget(raw.url) ?? '/', countSegments(routePath));
    const response = toResponse(await handler(new MountedRequest(raw, ORIGIN + path).toRequest()));
    // Hono drops the body of a response to HEAD without cancelling it.
    if (raw.method === 'HEAD') response.body?.cancel().catch(() => undefined);
    return response;
  };
}

/** A request with a URL that is relative to the mount point. */
class MountedRequest extends RequestView {
  readonly url: string;
  readonly #raw: Request;

  constructor(raw: Request, url: string) {
    super();
    this.#raw = raw;
    this.url = url;
  }

  clone(): Request {
    return new MountedRequest(this.#raw.clone(), this.url).toRequest();
  }

  protected override native(): Request {
    return this.#raw;
  }
}
