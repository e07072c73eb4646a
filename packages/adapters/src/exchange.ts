import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainResponse } from '@htskit/http';
import { isClosed, onResponseClosed } from './connection.js';
import type { Handler } from './handler.js';
import { IncomingRequest, type RequestSource } from './incoming-request.js';
import { discardBody } from './outgoing-response.js';

/** The message pair of one exchange on a Node server, and the parts of the request that the framework may have changed. */
export interface NodeExchange extends RequestSource {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Calls the handler and returns its response, or undefined if the exchange has ended in the meantime. Rejects if the handler
 * throws, unless the exchange has ended.
 */
export async function callHandler(handler: Handler, exchange: NodeExchange): Promise<PlainResponse | undefined> {
  const { incoming, outgoing } = exchange;
  const request = new IncomingRequest(incoming, exchange);
  onResponseClosed(outgoing, () => {
    if (!outgoing.writableFinished) request.disconnect();
    request.abandonBody();
  });
  try {
    const response = await handler(request.toRequest());
    if (!isClosed(outgoing)) return response;
    discardBody(response.body);
  } catch (error) {
    // A handler that rejects because its signal was aborted has not failed.
    if (!isClosed(outgoing)) throw error;
  }
  return undefined;
}
