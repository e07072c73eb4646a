import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A handler that an adapter binds to a framework. The path of its URLs is relative to the mount point. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Creates a server that does not listen yet, with the handler mounted at `prefix`: a path such as `/a/b`, or `''`. */
export type CreateServer = (handler: FetchHandler, prefix: string) => Server | Promise<Server>;

/** The path at which the contract mounts handlers. */
export const PREFIX = '/mounted/here';

/** A listening server whose handler is set by each test. */
export class MountedServer {
  handler: FetchHandler = () => new Response(null, { status: 501 });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(create: CreateServer, prefix: string = PREFIX): Promise<MountedServer> {
    const answer: FetchHandler = (request) => mounted.handler(request);
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
