import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether nothing more can be written because the client disconnected or middleware ended the response (by a timeout, say). */
export function isClosed(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded || outgoing.destroyed || outgoing.req.socket.destroyed;
}

/**
 * Calls `listener` once, when the response is complete or its connection has closed.
 *
 * The `close` event of a response is not enough: a pipelined response has no socket until the responses before it are sent,
 * and emits no event if the connection closes earlier.
 */
export function onResponseClosed(outgoing: ServerResponse, listener: () => void): void {
  if (outgoing.socket !== null) {
    outgoing.once('close', listener);
    return;
  }
  const queued = queuedListeners(outgoing.req.socket);
  const close = (): void => {
    if (queued.delete(close)) listener();
  };
  queued.add(close);
  outgoing.once('close', close);
}

const queuedBySocket = new WeakMap<Socket, Set<() => void>>();

/** The listeners of a socket's queued responses. They share one event listener, because Node warns about more than ten. */
function queuedListeners(socket: Socket): Set<() => void> {
  const existing = queuedBySocket.get(socket);
  if (existing !== undefined) return existing;
  const queued = new Set<() => void>();
  queuedBySocket.set(socket, queued);
  socket.once('close', () => {
    for (const listener of queued) listener();
  });
  return queued;
}

/** Destroys the connection so that the client cannot mistake a partial body for a complete one. */
export function truncate(outgoing: ServerResponse, isDelimitedByClose: boolean): void {
  // If the end of the connection is the end of the body (RFC 9112 §6.3, rule 8), only a reset reveals the truncation.
  if (isDelimitedByClose) {
    try {
      outgoing.socket?.resetAndDestroy();
      return;
    } catch {
      // TLS connections and pipes cannot be reset. A TLS client notices that close_notify is missing.
    }
  }
  outgoing.destroy();
}
