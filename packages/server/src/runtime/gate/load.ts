import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { onResponseClosed } from '@htskit/adapters/internal';
import type { ServerLimits } from '../server-limits.js';

/** Why a request is refused with 503. */
export type ShedReason = 'concurrency' | 'memory' | 'client' | 'audit';

export interface LoadOptions {
  /** Returns the resident memory of the process, in bytes. */
  readonly readMemory?: () => number;
  /** Milliseconds since any fixed point in time. */
  readonly now?: () => number;
}

/** The share of a container's memory that the process may use by default. Beyond it, the kernel may kill the process. */
const CONTAINER_SHARE = 0.9;

/**
 * Returns the resident memory of the process. On Linux this opens a file, which fails without a free descriptor and without /proc:
 * then it is the memory of the heap and its buffers, which is less.
 */
function readResidentMemory(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    const { total_physical_size: heap, external_memory: buffers, malloced_memory: malloced } = getHeapStatistics();
    return heap + buffers + malloced;
  }
}

/** Measures how busy the process is. */
export class Load {
  readonly #readMemory: () => number;
  readonly #now: () => number;
  #memoryBytes: number;
  #lateMilliseconds = 0;
  #sampledAt: number | undefined;

  constructor({ readMemory = readResidentMemory, now = () => performance.now() }: LoadOptions = {}) {
    this.#readMemory = readMemory;
    this.#now = now;
    this.#memoryBytes = readMemory();
  }

  /** Samples the process. A timer must call this at the given interval: a late call shows how late the event loop is. */
  sample(everyMilliseconds: number): void {
    const now = this.#now();
    this.#memoryBytes = this.#readMemory();
    if (this.#sampledAt !== undefined) {
      this.#lateMilliseconds = Math.max(0, now - this.#sampledAt - everyMilliseconds);
    }
    this.#sampledAt = now;
  }

  /**
   * Returns why another request must be refused, or undefined if it can be admitted. `running` is the number of requests that
   * the server works on.
   */
  refusal(running: number, limits: ServerLimits): ShedReason | undefined {
    if (running >= limits.concurrency) return 'concurrency';
    // One request at a time is always admitted: without new requests, unused memory is not returned to the system.
    return running > 0 && this.#memoryBytes > memoryLimit(limits) ? 'memory' : undefined;
  }

  /** Returns which limit is exceeded, as text for people, or undefined if none is. */
  fault(limits: ServerLimits): string | undefined {
    if (this.#lateMilliseconds > limits.eventLoopMilliseconds) return 'the event loop is late';
    const isOverMemory = this.#memoryBytes > memoryLimit(limits);
    return isOverMemory ? 'memory use is over its limit' : undefined;
  }
}

/** Returns the memory limit of each of several processes, or 0 if the container has none. */
export function shareOfContainer(count: number): number {
  return Number.isFinite(containerLimit) ? Math.floor(containerLimit / count) : 0;
}

function memoryLimit({ memoryBytes }: Pick<ServerLimits, 'memoryBytes'>): number {
  return memoryBytes > 0 ? memoryBytes : containerLimit;
}

/**
 * The share of the memory limit that long headers, records, slices and indexes may have together while they are read. Memory that
 * they no longer use is returned late, and the caches and the code take the rest.
 */
const GROWTH_SHARE = 1 / 8;

/** Returns the maximum number of bytes that requests may have reserved together. */
export function growthLimit({ memoryBytes = 0 }: { readonly memoryBytes?: number } = {}): number {
  return Math.floor(GROWTH_SHARE * Math.min(memoryLimit({ memoryBytes }), totalmem()));
}

const containerLimit = toContainerLimit(process.constrainedMemory(), totalmem());

/** Returns the default memory limit. Without a limited container, Node reports 0 or more than the machine has. */
export function toContainerLimit(constrained: number | undefined, total: number): number {
  const isLimited = constrained !== undefined && constrained > 0 && constrained < total;
  return isLimited ? constrained * CONTAINER_SHARE : Number.POSITIVE_INFINITY;
}

export interface PipeliningOptions {
  /** The number of requests of one connection that may be unanswered at the same time. */
  readonly maxCount: () => number;
  /** Called for each connection that is closed for exceeding the limit. */
  readonly onClose?: () => void;
}

/**
 * Returns a listener that closes a connection with too many pipelined requests (RFC 9112 §9.3.2). Node parses all requests of
 * a 64 KiB read at once, which can be thousands, while other connections wait.
 */
export function limitPipelining<Outgoing extends ServerResponse>(
  listener: (incoming: IncomingMessage, outgoing: Outgoing) => void,
  { maxCount, onClose }: PipeliningOptions,
): (incoming: IncomingMessage, outgoing: Outgoing) => void {
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
    onResponseClosed(outgoing, () => counts.set(socket, (counts.get(socket) ?? 1) - 1));
    listener(incoming, outgoing);
  };
}
