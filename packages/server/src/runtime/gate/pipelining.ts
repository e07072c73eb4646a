import type { Socket } from 'node:net';
import type { Listener } from './request-gate.js';

export interface PipeliningOptions {
  /** Requests of one connection that may be without a whole answer at the same time. */
  readonly maxCount: () => number;
  /** Told of each connection that is closed for having sent more. */
  readonly onClose?: (() => void) | undefined;
}

/**
 * The listener, for connections that send no more than so many requests ahead of their answers (RFC 9112, §9.3.2); one that
 * sends more is closed. Node hands over all requests of 64 KiB at once, which are some thousands, and others wait meanwhile.
 */
export function limitPipelining(listener: Listener, { maxCount, onClose }: PipeliningOptions): Listener {
  const counts = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    // Of the bytes that had arrived before it was closed.
    if (socket.destroyed) return;
    const count = counts.get(socket) ?? 0;
    if (count >= maxCount()) {
      onClose?.();
      socket.destroy();
      return;
    }
    // Each of them listens for the end of the connection, up to three times.
    if (count === 0) socket.setMaxListeners(0);
    counts.set(socket, count + 1);
    outgoing.once('close', () => counts.set(socket, (counts.get(socket) ?? 1) - 1));
    listener(incoming, outgoing);
  };
}
