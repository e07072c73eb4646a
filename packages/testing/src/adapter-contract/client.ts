import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { type MountedServer, PREFIX } from './mounted-server.js';

/** The head of a request; the path is relative to the mount point and goes out exactly as it is written. */
export interface Head {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A whole request. */
export interface Sent extends Head {
  /** With a length if it is one piece, else chunked. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
}

/** A whole response. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request on a connection of its own, and reads the response to its end; rejects if it is truncated. */
export async function exchange(server: MountedServer, sent: Sent = {}): Promise<Received> {
  const response = await open(server, sent);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await readAll(response) };
}

/** Sends a request; the response is there when its head is. */
export async function open(server: MountedServer, sent: Sent = {}): Promise<IncomingMessage> {
  const { body } = sent;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const length = isWhole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const outgoing = start(server, { ...sent, headers: { ...length, ...sent.headers } });
  for (const piece of isWhole ? [body] : (body ?? [])) outgoing.write(piece);
  outgoing.end();
  return awaitResponse(outgoing);
}

/** A request whose body is still open. */
export function start(server: MountedServer, { method = 'GET', path = '/', headers = {} }: Head): ClientRequest {
  return request({ host: '127.0.0.1', port: server.port, method, path: PREFIX + path, headers, agent: false });
}

/** The response to a request, when its head is there. */
export async function awaitResponse(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** The rest of a response; rejects if it is truncated. */
export async function readAll(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Everything that comes on a socket before its end; rejects if the connection is reset. */
export async function readSocket(socket: Socket): Promise<string> {
  return (await readAll(socket as AsyncIterable<Buffer>)).toString('latin1');
}
