import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOver, whenClosed } from './connection.js';
import type { Handler, HandlerResponse } from './handler.js';
import { IncomingRequest, type RequestSource } from './incoming-request.js';
import { discardBody } from './outgoing-response.js';

/** The two ends of an exchange on a Node server, and what the framework made of the request. */
export interface Exchange extends RequestSource {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What the handler answers; rejects if it throws. Undefined if nobody waits for the answer any more. */
export async function askHandler(handler: Handler, exchange: Exchange): Promise<HandlerResponse | undefined> {
  const { incoming, outgoing } = exchange;
  const request = new IncomingRequest(incoming, exchange);
  whenClosed(outgoing, () => {
    if (!outgoing.writableFinished) request.disconnect();
    request.abandonBody();
  });
  try {
    const response = await handler(request.toRequest());
    if (!isOver(outgoing)) return response;
    discardBody(response.body);
  } catch (error) {
    // A handler rejects when its signal is aborted, and nobody is to blame.
    if (!isOver(outgoing)) throw error;
  }
  return undefined;
}
