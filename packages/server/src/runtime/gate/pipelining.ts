import type { Socket } from 'node:net';
import type { Listener } from '../service/retirable-service.js';

export interface PipeliningOptions {
  /** The number of requests of one connection that may be unanswered at the same time. */
  readonly maxCount: () => number;
  /** Called for each connection that is closed for exceeding the limit. */
  readonly onClose?: (() => void) | undefined;
}

/**
 * Returns a listener that closes a connection with too many pipelined requests (RFC 9112 §9.3.2). Node parses all requests of
 * a 64 KiB read at once, which can be thousands, while other connections wait.
 */
export function limitPipelining(listener: Listener, { maxCount, onClose }: PipeliningOptions): Listener {
  const counts = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    // The rest of a read is still parsed after its connection was closed.
    if (socket.destroyed) return;
    const count = counts.get(socket) ?? 0;
    if (count >= maxCount()) {
      onClose?.();
      socket.destroy();
      return;
    }
    // Each request adds up to three listeners for the end of the connection.
    if (count === 0) socket.setMaxListeners(0);
    counts.set(socket, count + 1);
    outgoing.once('close', () => counts.set(socket, (counts.get(socket) ?? 1) - 1));
    listener(incoming, outgoing);
  };
}
