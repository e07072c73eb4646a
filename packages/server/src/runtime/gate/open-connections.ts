import type { Socket } from 'node:net';
import { ClientCounts, toClient } from './client-address.js';
import type { ConnectionLimits } from './descriptors.js';

/** Why a connection is closed: it was idle and made room, or a limit is reached and no connection is idle. */
export type ConnectionEnd = 'idle' | 'client' | 'total';

export interface OpenConnectionsOptions {
  readonly limits: ConnectionLimits;
  /** Called for each connection that is closed because of the limits, with the address of its client. */
  readonly onClose: (reason: ConnectionEnd, client: string) => void;
}

interface Connection {
  readonly client: string;
  socket: Socket;
  /** The number of its requests whose responses have not ended. */
  requestCount: number;
}

/**
 * The open connections of a server. At a limit, a new connection replaces the one that has been idle for longest: of the
 * same client if that has too many, and of any if all are too many. If none is idle, the new one is closed.
 */
export class OpenConnections {
  readonly #options: OpenConnectionsOptions;
  readonly #connections = new Set<Connection>();
  /** Those without a request. The one that has been idle for longest comes first. */
  readonly #idle = new Set<Connection>();
  readonly #counts = new ClientCounts();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** The connections whose TLS handshake is not complete, by their addresses. */
  readonly #unsecured = new Map<string, Connection>();

  constructor(options: OpenConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Adds a connection that was accepted, unless it must be closed. A connection with TLS is `secured` later. */
  add(socket: Socket, { isTls = false }: { readonly isTls?: boolean } = {}): void {
    const connection: Connection = { client: toClient(socket.remoteAddress), socket, requestCount: 0 };
    const addresses = isTls ? toAddresses(socket) : '';
    socket.once('close', () => {
      this.#remove(connection);
      if (isTls) this.#unsecured.delete(addresses);
    });
    this.#connections.add(connection);
    const reason = this.#makeRoom(connection.client, this.#counts.add(connection.client));
    if (reason !== undefined) {
      this.#close(connection, reason);
      return;
    }
    this.#idle.add(connection);
    this.#bySocket.set(socket, connection);
    if (isTls) this.#unsecured.set(addresses, connection);
  }

  /** Follows a connection after its TLS handshake: its requests come from another socket. */
  secured(socket: Socket): void {
    const addresses = toAddresses(socket);
    const connection = this.#unsecured.get(addresses);
    if (connection === undefined) return;
    this.#unsecured.delete(addresses);
    connection.socket = socket;
    this.#bySocket.set(socket, connection);
  }

  /** Counts a request of a connection. */
  begin(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return;
    connection.requestCount++;
    this.#idle.delete(connection);
  }

  /** Counts the end of a response. */
  end(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return;
    connection.requestCount--;
    if (connection.requestCount === 0 && this.#connections.has(connection)) this.#idle.add(connection);
  }

  /** Closes a connection after what was written, unless it has a request. */
  endIfIdle(socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || connection.requestCount === 0) socket.destroySoon();
  }

  /** Closes all connections without a request, those included that have never had one. */
  endIdle(): void {
    for (const { socket } of this.#idle) socket.destroySoon();
  }

  /** Closes an idle connection if a limit is exceeded. Returns why the new one must be closed, if none is idle. */
  #makeRoom(client: string, count: number): ConnectionEnd | undefined {
    const { connections, connectionsPerClient } = this.#options.limits;
    if (count > connectionsPerClient && !this.#closeIdle((other) => other.client === client)) return 'client';
    return this.size > connections && !this.#closeIdle(() => true) ? 'total' : undefined;
  }

  #closeIdle(isCandidate: (connection: Connection) => boolean): boolean {
    for (const connection of this.#idle) {
      if (!isCandidate(connection)) continue;
      this.#close(connection, 'idle');
      return true;
    }
    return false;
  }

  /** Closes a connection. The system has its descriptor back at once. */
  #close(connection: Connection, reason: ConnectionEnd): void {
    this.#remove(connection);
    connection.socket.destroy();
    this.#options.onClose(reason, connection.client);
  }

  #remove(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    this.#idle.delete(connection);
    this.#counts.remove(connection.client);
  }
}

/** Returns the addresses of a connection. No two connections have the same at a time (RFC 9293 §4). */
function toAddresses({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
