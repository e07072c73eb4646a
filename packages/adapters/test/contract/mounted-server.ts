import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Handler } from '../../src/node.js';

/** Creates a server that does not listen yet, with the handler mounted at `prefix`: a path such as `/a/b`, or `''`. */
export type CreateServer = (handler: Handler, prefix: string) => Server | Promise<Server>;

/** The path at which the contract mounts handlers. */
export const PREFIX = '/mounted/here';

/** A listening server whose handler is set by each test. */
export class MountedServer {
  handler: Handler = () => new Response(null, { status: 501 });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(create: CreateServer, prefix: string = PREFIX): Promise<MountedServer> {
    const answer: Handler = (request) => mounted.handler(request);
    const server = await create(answer, prefix);
    const mounted = new MountedServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return mounted;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
    return address.port;
  }

  /** Opens a connection for raw HTTP. */
  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** The head of a request. The path is relative to the mount point and is sent unchanged. */
export interface Head {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A whole request. */
export interface Sent extends Head {
  /** Sent with a length if it is one piece, otherwise chunked. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
}

/** A whole response. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request on its own connection and reads the whole response. Rejects if it is truncated. */
export async function exchange(server: MountedServer, sent: Sent = {}): Promise<Received> {
  const response = await open(server, sent);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await readAll(response) };
}

/** Sends a request and returns the response once its head has arrived. */
export async function open(server: MountedServer, sent: Sent = {}): Promise<IncomingMessage> {
  const { body } = sent;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const length: Record<string, string> = isWhole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const outgoing = start(server, { ...sent, headers: { ...length, ...sent.headers } });
  for (const piece of isWhole ? [body] : (body ?? [])) outgoing.write(piece);
  outgoing.end();
  return awaitResponse(outgoing);
}

/** Starts a request and leaves its body open. */
export function start(server: MountedServer, { method = 'GET', path = '/', headers = {} }: Head): ClientRequest {
  return request({ host: '127.0.0.1', port: server.port, method, path: PREFIX + path, headers, agent: false });
}

/** Returns the response to a request once its head has arrived. */
export async function awaitResponse(outgoing: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** Reads the rest of a response. Rejects if it is truncated. */
export async function readAll(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads everything that a socket receives. Rejects if the connection is reset. */
export async function readSocket(socket: Socket): Promise<string> {
  return (await readAll(socket as AsyncIterable<Buffer>)).toString('latin1');
}
