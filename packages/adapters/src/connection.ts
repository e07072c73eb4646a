import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether nothing more can be written: the client has gone, or middleware has ended the response (say, by a timeout). */
export function isOver(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded || outgoing.destroyed || outgoing.req.socket.destroyed;
}

/** Calls back when the response is complete or its connection has closed; possibly twice. */
export function whenClosed(outgoing: ServerResponse, listener: () => void): void {
  outgoing.once('close', listener);
  if (outgoing.socket !== null) return;
  // A pipelined response has no socket while it waits for its turn, and is not told when the connection closes.
  const waiting = waitingOn(outgoing.req.socket);
  waiting.add(listener);
  outgoing.once('close', () => waiting.delete(listener));
}

const waitingBySocket = new WeakMap<Socket, Set<() => void>>();

/** What is called when a socket closes: by one listener for all, since Node warns of more than ten. */
function waitingOn(socket: Socket): Set<() => void> {
  const known = waitingBySocket.get(socket);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  waitingBySocket.set(socket, waiting);
  socket.once('close', () => {
    for (const listener of waiting) listener();
  });
  return waiting;
}

/** Breaks the connection, so that the client cannot take what it has for the whole response. */
export function truncate(outgoing: ServerResponse, isDelimitedByClose: boolean): void {
  // Where the end of the connection is the end of the body (RFC 9112 §6.3, rule 8), nothing but a reset shows the break.
  if (isDelimitedByClose) {
    try {
      outgoing.socket?.resetAndDestroy();
      return;
    } catch {
      // TLS connections and pipes cannot be reset. TLS shows the break by itself: its close_notify is missing.
    }
  }
  outgoing.destroy();
}
