import type { ChildProcess } from 'node:child_process';

/** A connection as Node's cluster hands it over. */
interface Connection {
  close(): void;
}

/**
 * The messages by which Node's cluster hands a connection to a process, and by which the process acknowledges it. They are not
 * documented: if they change, nothing is followed.
 */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly ack?: unknown;
}

/**
 * Follows the connections that are on their way to a process. The cluster closes its copy of a connection when the process has
 * acknowledged it. If the process is killed before, the copy would stay open, and its client would wait for ever.
 */
export class HandedConnections {
  /** The connections that are not acknowledged, by the numbers of their messages. */
  readonly #connections = new Map<unknown, Connection>();

  constructor(child: ChildProcess) {
    // A process that could not be started has no channel.
    if (typeof child.send !== 'function') return;
    const send = child.send.bind(child) as (...parameters: readonly unknown[]) => boolean;
    child.send = (message: unknown, handle?: unknown, ...others: readonly unknown[]): boolean => {
      const { cmd, act, seq } = message as ClusterMessage;
      if (cmd === 'NODE_CLUSTER' && act === 'newconn' && isConnection(handle)) this.#connections.set(seq, handle);
      return send(message, handle, ...others);
    };
    child.on('internalMessage', ({ ack }: ClusterMessage) => void this.#connections.delete(ack));
  }

  /** Closes them, after the process has ended. Their clients get an error. */
  close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }
}

function isConnection(handle: unknown): handle is Connection {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function';
}
