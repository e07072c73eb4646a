import type { ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { isOver } from './connection.js';
import type { HandlerResponse } from './handler.js';
import { OutgoingStream } from './outgoing-stream.js';

type Body = HandlerResponse['body'];

/** Header names in lower case; only Set-Cookie has several values. */
type Head = Record<string, string | string[]>;

/** Headers that join those which middleware has set already; others replace them. */
const JOINED = ['set-cookie', 'vary'];

/**
 * Writes a response; the promise settles when it was handed over to the socket or the client has gone.
 * Rejects if the body fails or is not as long as its Content-Length says: if that shows before the first chunk is
 * written, nothing was sent; otherwise the connection was broken, and the client sees a truncated response.
 */
export async function sendResponse(response: HandlerResponse, outgoing: ServerResponse): Promise<void> {
  const { status, body } = response;
  const head = toHead(response, outgoing);
  if (outgoing.req.method === 'HEAD' || status === 204 || status === 304) {
    if (status !== 204 && isStatic(body) && body !== null) setLength(head, body);
    outgoing.writeHead(status, head).end();
    return discardBody(body);
  }
  if (!isStatic(body)) {
    return new OutgoingStream({ body, length: declaredLength(head), outgoing }).send(() => {
      outgoing.writeHead(status, head);
    });
  }
  setLength(head, body ?? '');
  outgoing.writeHead(status, head).end(body ?? undefined);
}

/** Answers an error of the request, or of the server, with nothing but a status, if an answer can still be given. */
export function refuse(outgoing: ServerResponse, status: 400 | 404 | 500): void {
  if (!outgoing.headersSent && !isOver(outgoing)) outgoing.writeHead(status, { 'content-length': '0' }).end();
}

/** Cancels a body that will not be sent. What comes of the cancelling interests nobody any more. */
export function discardBody(body: Body): void {
  if (!isStatic(body)) body.cancel().catch(() => undefined);
}

function isStatic(body: Body): body is Uint8Array | string | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
}

function toHead({ status, headers }: HandlerResponse, outgoing: ServerResponse): Head {
  const head: Head = {};
  for (const [name, value] of headers) head[name] = value;
  if (head['set-cookie'] !== undefined) head['set-cookie'] = headers.getSetCookie();
  // The framing is Node's to choose (RFC 9112 §6.1), and a 204 has no length (RFC 9110 §8.6).
  delete head['transfer-encoding'];
  if (status === 204) delete head['content-length'];
  for (const name of JOINED) {
    const present = outgoing.getHeader(name);
    if (present !== undefined && head[name] !== undefined) head[name] = [present, head[name]].flat().map(String);
  }
  return head;
}

/** Content-Length in bytes, undefined if the head has none. */
function declaredLength(head: Head): number | undefined {
  const declared = head['content-length'];
  if (declared === undefined) return undefined;
  if (typeof declared === 'string' && /^\d{1,15}$/.test(declared)) return Number(declared);
  throw new AdapterError('INVALID_LENGTH', 'The Content-Length of a response is not a decimal number');
}

function setLength(head: Head, body: Uint8Array | string): void {
  const length = Buffer.byteLength(body);
  const declared = declaredLength(head);
  if (declared !== undefined && declared !== length) {
    throw new AdapterError('LENGTH_MISMATCH', `The body has ${length} bytes, its Content-Length says ${declared}`);
  }
  head['content-length'] = String(length);
}
