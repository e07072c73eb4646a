import type { IncomingMessage, ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { callHandler, hasBody, type RequestSource } from './exchange.js';
import type { Handler } from './handler.js';
import { sendResponse, sendStatus } from './outgoing-response.js';
import { normalizePath, parseRequestTarget } from './request-target.js';

export type { PlainResponse } from '@htskit/http';
export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler } from './handler.js';

/** A message with the properties that body parsers add: `body` and, by convention, the unparsed bytes as `rawBody`. */
interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Converts a handler to an Express 4 or 5 request handler, which answers every request below its mount point. Mount it before
 * any body parser. `next` is only called with an error that the handler or the body of its response threw.
 *
 * @example
 * import express from 'express';
 *
 * const app = express();
 * app.use('/prefix', toExpress(handler));
 */
export function toExpress(
  handler: Handler,
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void {
  return (incoming, outgoing, next) => {
    // Express has already removed the mount path from the URL.
    const target = parseRequestTarget(incoming.url ?? '');
    if (target === undefined) sendStatus(outgoing, 400);
    else void respond({ handler, incoming, outgoing, next, path: normalizePath(target) });
  };
}

interface ExpressExchange {
  readonly handler: Handler;
  readonly incoming: ParsedMessage;
  readonly outgoing: ServerResponse;
  readonly next: (error: unknown) => void;
  readonly path: string;
}

async function respond({ handler, incoming, outgoing, next, path }: ExpressExchange): Promise<void> {
  try {
    const response = await callHandler(handler, { incoming, outgoing, path, ...takeBody(incoming) });
    if (response !== undefined) await sendResponse(response, outgoing);
  } catch (error) {
    next(error);
  }
}

/** Returns the body, from the socket or restored from the result of a body parser, and the headers that fit it. */
function takeBody(incoming: ParsedMessage): Pick<RequestSource, 'body' | 'headers'> {
  if (!hasBody(incoming)) return {};
  if (!incoming.readableDidRead) return { body: incoming };
  const body = restoreBody(incoming);
  const headers = new Headers(incoming.headers as Record<string, string>);
  // Parsers have removed these encodings.
  headers.delete('content-encoding');
  headers.delete('transfer-encoding');
  headers.set('content-length', String(Buffer.byteLength(body)));
  return { body, headers };
}

function restoreBody({ rawBody, body, headers }: ParsedMessage): Uint8Array | string {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (body instanceof Uint8Array || typeof body === 'string') return body;
  if (body !== undefined && /^application\/(?:[^;]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    return JSON.stringify(body);
  }
  throw new AdapterError(
    'BODY_CONSUMED',
    'middleware has read the request body; mount the handler before the body parser',
  );
}
