import type { IncomingMessage, ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { answerExchange, hasBody } from './exchange.js';
import type { Handler } from './handler.js';
import { sendStatus } from './outgoing-response.js';
import { normalizePath, ORIGIN, parseRequestTarget, toMountedPath } from './request-target.js';

export type { PlainResponse } from '@htskit/http';
export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler } from './handler.js';

/** Options of `toNodeListener`. */
export interface NodeListenerOptions {
  /** Path at which the handler is mounted, such as `/htsget`. Other paths are answered with 404. Default: the root. */
  readonly prefix?: string;
  /** Called with each error that the handler or the body of its response threw. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Converts a handler to a listener for `http.createServer` or `https.createServer`. Throws `AdapterError` INVALID_PREFIX if
 * the prefix does not begin with a slash or contains a query.
 *
 * @example
 * createServer(toNodeListener(handler, { prefix: '/data' })).listen(8080);
 */
export function toNodeListener(
  handler: Handler,
  options: NodeListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const { onError = console.error } = options;
  const prefix = parsePrefix(options.prefix ?? '/');
  return (incoming, outgoing) => {
    const target = parseRequestTarget(incoming.url ?? '');
    if (target === undefined) return sendStatus(outgoing, 400);
    const path = toMountedPath(normalizePath(target), prefix);
    if (path === undefined) return sendStatus(outgoing, 404);
    const body = hasBody(incoming) ? incoming : undefined;
    answerExchange(handler, { incoming, outgoing, path, body, onError });
  };
}

/** Returns the prefix as it appears in a normalised path, without a trailing slash. */
function parsePrefix(prefix: string): string {
  if (!/^\/[^?#]*$/.test(prefix)) {
    throw new AdapterError(
      'INVALID_PREFIX',
      `invalid prefix "${prefix}": expected a path that begins with a slash, without a query`,
    );
  }
  return new URL(ORIGIN + prefix).pathname.replace(/\/+$/, '');
}
