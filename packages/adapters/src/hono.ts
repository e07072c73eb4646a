import type { Handler, HandlerResponse } from './handler.js';
import { countSegments, dropSegments, ORIGIN, parseRequestTarget } from './request-target.js';
import { RequestView } from './request-view.js';

export type { Handler, HandlerResponse } from './handler.js';

/** What is needed of a Hono context. */
export interface HonoContext {
  readonly req: { readonly raw: Request; readonly routePath: string };
}

/**
 * Makes a handler a Hono handler: `app.all('/prefix/*', toHono(handler))`. It answers everything that the route matches;
 * the segments in front of the route's `*` are its mount point. What it throws goes to `app.onError`.
 */
export function toHono(handler: Handler): (context: HonoContext) => Promise<Response> {
  return async ({ req: { raw, routePath } }) => {
    const path = dropSegments(parseRequestTarget(raw.url) ?? '/', countSegments(routePath));
    const response = toResponse(await handler(new MountedRequest(raw, ORIGIN + path).toRequest()));
    // Hono drops the body of an answer to HEAD without cancelling it.
    if (raw.method === 'HEAD') response.body?.cancel().catch(() => undefined);
    return response;
  };
}

/** A request whose URL is relative to a mount point. */
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

function toResponse(response: HandlerResponse): Response {
  if (response instanceof Response) return response;
  const { status, headers, body } = response;
  return new Response(body as BodyInit | null, { status, headers });
}
