import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Listener } from '../service/retirable-service.js';
import type { TlsFiles } from '../tls-files.js';
import type { RequestGate, RoutedListener } from './request-gate.js';

/** Milliseconds between two checks for requests that do not arrive. */
const CHECK_MILLISECONDS = 1000;

/** An HTTP server whose requests pass a gate. */
export interface GatedServer {
  /** Not listening yet. */
  readonly server: Server;
  /**
   * Stops the server: it is not ready from now on, stops listening after `shutdownDelaySeconds`, closes idle connections and
   * lets running responses end within `drainSeconds`. Resolves when all connections are closed.
   */
  readonly drain: () => Promise<void>;
}

/** Creates a server with the limits of a gate. With `tls` it speaks HTTPS with the current certificate. */
export function createGatedServer(listener: RoutedListener, gate: RequestGate, tls?: TlsFiles): GatedServer {
  const { headerSeconds, requestSeconds, keepAliveSeconds, connections } = gate.limits;
  const options = {
    headersTimeout: Math.min(headerSeconds, requestSeconds) * 1000,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headerSeconds * 500),
  };
  const gated = gate.wrap(listener);
  const server = tls === undefined ? createHttpServer(options, gated) : createTlsServer(tls, options, gated);
  server.maxConnections = connections;
  server.on('drop', () => gate.metrics?.countRefusedConnection());
  const sockets = new Set<Socket>();
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  gate.metrics?.watchServer(() => ({
    running: gate.inFlight.size,
    streaming: [...gate.inFlight].filter(({ isStreaming }) => isStreaming).length,
    connections: sockets.size,
  }));
  return { server, drain: () => drain({ server, sockets, gate }) };
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
  readonly gate: RequestGate;
}

async function drain({ server, sockets, gate }: DrainInput): Promise<void> {
  const { shutdownDelaySeconds, drainSeconds } = gate.limits;
  gate.setDraining();
  if (shutdownDelaySeconds > 0) await wait(shutdownDelaySeconds * 1000);
  const isBusy = (socket: Socket): boolean => [...gate.inFlight].some(({ outgoing }) => outgoing.req.socket === socket);
  // This also closes connections whose response head announced keep-alive before the drain began.
  gate.onEnd(({ outgoing }) => {
    const { socket } = outgoing.req;
    if (!isBusy(socket)) socket.destroySoon();
  });
  const deadline = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    // Node does not close connections that have never sent a request.
    for (const socket of sockets) if (!isBusy(socket)) socket.destroySoon();
  });
  clearTimeout(deadline);
}
