import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { DATA_HEADERS } from '@htskit/http/internal';
import { HtsgetError, toHtsgetErrorBody } from '@htskit/protocol';
import { createRareLog } from '../background.js';
import type { RefusalReason } from '../metrics/metrics.js';
import type { TlsFiles } from '../tls-files.js';
import { descriptorLimit, fitConnections } from './descriptors.js';
import { type GatedListener, GatedResponse } from './gated-response.js';
import { limitPipelining } from './load.js';
import { type ConnectionEnd, OpenConnections } from './open-connections.js';
import type { RequestGate, RoutedListener } from './request-gate.js';

/** Milliseconds between two checks for requests that do not arrive. */
const CHECK_MILLISECONDS = 1000;

/** A server of Node whose responses count what is written. */
export type GatedHttpServer = Server<typeof IncomingMessage, typeof GatedResponse>;

/** An HTTP server whose requests pass a gate. */
export interface GatedServer {
  /** Not listening yet. */
  readonly server: GatedHttpServer;
  /**
   * Stops the server: it is not ready from now on, stops listening after `shutdownDelaySeconds`, closes idle connections and
   * lets running responses end within `drainSeconds`. Resolves when all connections are closed.
   */
  readonly drain: (options?: CloseOptions) => Promise<void>;
}

export interface CloseOptions {
  /**
   * Whether another process serves in the place of this one. Then it stays ready, stops listening at once, and answers the next
   * request of connections that are idle.
   */
  readonly isReplaced?: boolean;
}

/** Creates a server with the limits of a gate. With `tls` it speaks HTTPS with the current certificate. */
export function createGatedServer(listener: RoutedListener, gate: RequestGate, tls?: TlsFiles): GatedServer {
  const { headerSeconds, requestHeaderBytes, requestSeconds, keepAliveSeconds } = gate.limits;
  const options = {
    headersTimeout: Math.min(headerSeconds, requestSeconds) * 1000,
    maxHeaderSize: requestHeaderBytes,
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: Math.min(CHECK_MILLISECONDS, headerSeconds * 500),
    ServerResponse: GatedResponse,
  };
  const countRefused = createRefusalCounter(gate);
  const connections = limitConnections(gate, countRefused);
  const admit = gate.wrap(listener);
  const begin: GatedListener = (incoming, outgoing) => {
    connections.begin(incoming.socket);
    admit(incoming, outgoing);
  };
  const gated = limitPipelining(begin, {
    maxCount: () => gate.limits.pipelined,
    onClose: () => countRefused('pipelined', 'closed a connection with too many pipelined requests'),
  });
  gate.onEnd(({ outgoing }) => connections.end(outgoing.req.socket));
  const server = tls === undefined ? createHttpServer(options, gated) : createTlsServer(tls, options, gated);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseMalformed(error, socket, gate));
  const isTls = tls !== undefined;
  // A server for HTTPS emits this before the TLS handshake.
  server.on('connection', (socket: Socket) => connections.add(socket, { isTls }));
  if (isTls) server.on('secureConnection', (socket: Socket) => connections.secured(socket));
  server.on('error', (error: NodeJS.ErrnoException) => {
    // The caller of `listen` waits for every other error.
    if (error.syscall === 'accept') countRefused('accept', `cannot accept a connection: ${error.message}`);
  });
  gate.metrics?.watchServer(() => ({
    running: gate.inFlight.size,
    streaming: [...gate.inFlight].filter(({ isStreaming }) => isStreaming).length,
    connections: connections.size,
  }));
  return { server, drain: (closeOptions = {}) => drain({ server, connections, gate, ...closeOptions }) };
}

type RefusalCounter = (reason: RefusalReason, message: string) => void;

/** Returns a function that counts each connection that is refused, and logs one in a minute for each reason. */
function createRefusalCounter({ metrics, logger }: RequestGate): RefusalCounter {
  const rareLog = createRareLog((message) => logger.warn(message));
  return (reason, message) => {
    metrics?.countRefusedConnection(reason);
    rareLog(reason, message);
  };
}

/** Creates the set of connections, within the limits of the gate and the descriptors of the process. */
function limitConnections(gate: RequestGate, countRefused: RefusalCounter): OpenConnections {
  const descriptors = descriptorLimit();
  const limits = fitConnections(gate.limits, descriptors);
  if (limits.connections < gate.limits.connections) {
    gate.logger.warn(
      `${descriptors} open files are allowed, so at most ${limits.connections} connections are accepted ` +
        `(${limits.connectionsPerClient} of a client): raise the limit, or lower limits.connections`,
    );
  }
  // Behind trusted proxies, all connections are those of the proxies. The gate counts the requests of clients instead.
  const connectionsPerClient = gate.trustedProxies > 0 ? Number.POSITIVE_INFINITY : limits.connectionsPerClient;
  return new OpenConnections({
    limits: { ...limits, connectionsPerClient },
    onClose: (reason, client) => countRefused(reason, `too many connections: ${CLOSED[reason]} (client ${client})`),
  });
}

const CLOSED: Readonly<Record<ConnectionEnd, string>> = {
  idle: 'closed the one that had been idle for longest',
  client: 'refused one, since its client has its share and none of them is idle',
  total: 'refused one, since none is idle',
};

/** The errors of Node for requests that it cannot parse or wait for, with their statuses. All others are 400. */
const MALFORMED: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the request are too long'],
  HPE_HEADER_OVERFLOW: [431, 'the headers of the request are too long'],
};

const DATA_FIELDS = Object.entries(DATA_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Answers a request that never reaches a listener with htsget's error body, and closes its connection. */
function refuseMalformed({ code = '' }: NodeJS.ErrnoException, socket: Duplex, { inFlight }: RequestGate): void {
  // Bytes after the head of a response would be taken for its body.
  const hasBegun = [...inFlight].some(({ outgoing }) => outgoing.req.socket === socket && outgoing.headersSent);
  const isHttp = code === 'ERR_HTTP_REQUEST_TIMEOUT' || code.startsWith('HPE_');
  // A failed TLS handshake is reported here too, and a connection that was reset.
  if (!isHttp || !socket.writable || hasBegun) {
    socket.destroy();
    return;
  }
  const [status, message] = MALFORMED[code] ?? [400, 'the request is not valid HTTP/1.1'];
  const body = JSON.stringify(toHtsgetErrorBody(new HtsgetError('InvalidInput', message, { status })));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n` +
      `${DATA_FIELDS}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function createTlsServer(
  tls: TlsFiles,
  options: ServerOptions<typeof IncomingMessage, typeof GatedResponse> & { headersTimeout: number },
  listener: GatedListener,
): GatedHttpServer {
  const handshakeTimeout = options.headersTimeout;
  const server = createHttpsServer({ ...options, ...tls.options, handshakeTimeout }, listener);
  tls.follow((context) => server.setSecureContext(context));
  return server;
}

interface DrainInput extends CloseOptions {
  readonly server: GatedHttpServer;
  readonly connections: OpenConnections;
  readonly gate: RequestGate;
}

async function drain({ server, connections, gate, isReplaced = false }: DrainInput): Promise<void> {
  const { shutdownDelaySeconds, drainSeconds } = gate.limits;
  gate.setDraining({ isReplaced });
  if (shutdownDelaySeconds > 0 && !isReplaced) await wait(shutdownDelaySeconds * 1000);
  // This also closes connections whose response head announced keep-alive before the drain began.
  gate.onEnd(({ outgoing }) => connections.endIfIdle(outgoing.req.socket));
  const deadline = setTimeout(() => server.closeAllConnections(), drainSeconds * 1000);
  await new Promise<void>((resolve) => {
    if (isReplaced) {
      // Unlike that of an HTTP server, the method of its base class leaves idle connections to their timeouts.
      NetServer.prototype.close.call(server, () => resolve());
      return;
    }
    server.close(() => resolve());
    // Node does not close connections that have never sent a request.
    connections.endIdle();
  });
  clearTimeout(deadline);
}
