import type { IncomingMessage, ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { askHandler } from './exchange.js';
import type { Handler } from './handler.js';
import { hasBody, type RequestSource } from './incoming-request.js';
import { refuse, sendResponse } from './outgoing-response.js';
import { normalizePath, parseRequestTarget } from './request-target.js';

export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler, HandlerResponse } from './handler.js';

/** What body parsers add to a request: `body`, and by convention the bytes that it was parsed from as `rawBody`. */
interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Makes a handler an Express request handler: `app.use('/prefix', toExpress(handler))`. It answers everything below its
 * mount point; `next` is called only with what the handler, or the body of its response, threw.
 */
export function toExpress(
  handler: Handler,
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void {
  return (incoming, outgoing, next) => {
    // Express has taken the mount path off the URL already.
    const target = parseRequestTarget(incoming.url ?? '');
    if (target === undefined) refuse(outgoing, 400);
    else void respond({ handler, incoming, outgoing, next, path: normalizePath(target) });
  };
}

interface Mounted {
  readonly handler: Handler;
  readonly incoming: ParsedMessage;
  readonly outgoing: ServerResponse;
  readonly next: (error: unknown) => void;
  readonly path: string;
}

async function respond({ handler, incoming, outgoing, next, path }: Mounted): Promise<void> {
  try {
    const response = await askHandler(handler, { incoming, outgoing, path, ...takeBody(incoming) });
    if (response !== undefined) await sendResponse(response, outgoing);
  } catch (error) {
    next(error);
  }
}

/** The body, from the socket or made again from what a body parser has left of it. */
function takeBody(incoming: ParsedMessage): Pick<RequestSource, 'body' | 'headers'> {
  if (!hasBody(incoming)) return {};
  if (!incoming.readableDidRead) return { body: incoming };
  const body = rebuildBody(incoming);
  const headers = new Headers(incoming.headers as Record<string, string>);
  // Parsers undo these encodings.
  headers.delete('content-encoding');
  headers.delete('transfer-encoding');
  headers.set('content-length', String(Buffer.byteLength(body)));
  return { body, headers };
}

function rebuildBody({ rawBody, body, headers }: ParsedMessage): Uint8Array | string {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (body instanceof Uint8Array || typeof body === 'string') return body;
  if (body !== undefined && /^application\/(?:[^;]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    return JSON.stringify(body);
  }
  throw new AdapterError('BODY_CONSUMED', 'Middleware has read the body: mount the handler before the body parser');
}
