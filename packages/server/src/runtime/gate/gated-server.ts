import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Listener, Operation } from './request-gate.js';
import type { TlsFiles } from '../tls-files.js';

/** Milliseconds between two looks at requests that do not arrive. */
const CHECK_MILLISECONDS = 1000;

/** An HTTP server that an operation watches over. */
export interface OperationServer {
  /** Not listening yet. */
  readonly server: Server;
  /**
   * Ends it: it is not ready at once, no longer listens after the delay of its limits, closes idle connections, lets running
   * answers end within their time, and resolves when all connections are closed.
   */
  readonly drain: () => Promise<void>;
}

/** Makes a server with the limits of an operation. With `tls` it speaks HTTPS, by the files' certificate of the moment. */
export function createOperationServer(listener: Listener, operation: Operation, tls?: TlsFiles): OperationServer {
  const { headerSeconds, requestSeconds, keepAliveSeconds, connections } = operation.limits;
  const options = {
    headersTimeout: Math.min(headerSeconds, requestSeconds) * 1000,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headerSeconds * 500),
  };
  const watched = operation.wrap(listener);
  const server = tls === undefined ? createHttpServer(options, watched) : createTlsServer(tls, options, watched);
  server.maxConnections = connections;
  server.on('drop', () => operation.metrics?.countRefusedConnection());
  const sockets = new Set<Socket>();
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  operation.metrics?.watchServer(() => ({
    running: operation.exchanges.size,
    streaming: [...operation.exchanges].filter(({ isStreaming }) => isStreaming).length,
    connections: sockets.size,
  }));
  return { server, drain: () => drain({ server, sockets, operation }) };
}

function createTlsServer(
  tls: TlsFiles,
  options: ServerOptions & { headersTimeout: number },
  listener: Listener,
): Server {
  const handshakeTimeout = options.headersTimeout;
  const server = createHttpsServer({ ...options, ...tls.options, handshakeTimeout }, listener);
  tls.follow((context) => server.setSecureContext(context));
  return server;
}

interface DrainInput {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly operation: Operation;
}

async function drain({ server, sockets, operation }: DrainInput): Promise<void> {
  const { shutdownDelaySeconds, drainSeconds } = operation.limits;
  operation.setDraining();
  if (shutdownDelaySeconds > 0) await wait(shutdownDelaySeconds * 1000);
  const isBusy = (socket: Socket): boolean =>
    [...operation.exchanges].some(({ outgoing }) => outgoing.req.socket === socket);
  // Also of answers whose head said, before all this began, that the connection would be kept.
  operation.onEnd(({ outgoing }) => {
    const { socket } = outgoing.req;
    if (!isBusy(socket)) socket.destroySoon();
  });
  const deadline = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    // Node leaves those open that have never sent a request.
    for (const socket of sockets) if (!isBusy(socket)) socket.destroySoon();
  });
  clearTimeout(deadline);
}
