import type { IncomingMessage, ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { askHandler } from './exchange.js';
import type { Handler } from './handler.js';
import { hasBody } from './incoming-request.js';
import { refuse, sendResponse } from './outgoing-response.js';
import { normalizePath, ORIGIN, parseRequestTarget, stripPrefix } from './request-target.js';

export { AdapterError, type AdapterErrorCode } from './adapter-error.js';
export type { Handler, HandlerResponse } from './handler.js';

/** Settings of a listener. */
export interface NodeListenerOptions {
  /** Path below which the handler is mounted, such as `/htsget`; other paths are answered with 404. Default: the root. */
  readonly prefix?: string;
  /** Hears of errors that the handler or the body of its response threw. Default: a warning of the process. */
  readonly onError?: (error: unknown) => void;
}

/** Makes a handler a listener for `http.createServer` or `https.createServer`. */
export function toNodeListener(
  handler: Handler,
  options: NodeListenerOptions = {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const { onError = warn } = options;
  const prefix = parsePrefix(options.prefix ?? '/');
  return (incoming, outgoing) => {
    const target = parseRequestTarget(incoming.url ?? '');
    if (target === undefined) return refuse(outgoing, 400);
    const path = stripPrefix(normalizePath(target), prefix);
    if (path === undefined) return refuse(outgoing, 404);
    const body = hasBody(incoming) ? incoming : undefined;
    askHandler(handler, { incoming, outgoing, path, body })
      .then((response) => response && sendResponse(response, outgoing))
      .catch((error: unknown) => {
        refuse(outgoing, 500);
        onError(error);
      });
  };
}

/** A prefix as it stands at the start of a normalised path: without a slash at its end. */
function parsePrefix(prefix: string): string {
  if (!/^\/[^?#]*$/.test(prefix)) {
    throw new AdapterError('INVALID_PREFIX', 'Expected a prefix that begins with a slash and has no query');
  }
  return new URL(ORIGIN + prefix).pathname.replace(/\/+$/, '');
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
