import { totalmem } from 'node:os';
import type { ServerLimits } from '../server-limits.js';

/** Why a request is told to come again. */
export type ShedReason = 'concurrency' | 'memory';

export interface LoadOptions {
  /** Bytes of memory that the process holds. */
  readonly readMemory?: () => number;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
}

/** Of a container's memory, what the process may hold where no limit is set: what is beyond, the kernel may kill it for. */
const CONTAINER_SHARE = 0.9;

/** How busy the process is. */
export class Load {
  readonly #readMemory: () => number;
  readonly #now: () => number;
  #memoryBytes: number;
  #lateMilliseconds = 0;
  #sampledAt: number | undefined;

  constructor({ readMemory = () => process.memoryUsage.rss(), now = () => performance.now() }: LoadOptions = {}) {
    this.#readMemory = readMemory;
    this.#now = now;
    this.#memoryBytes = readMemory();
  }

  /** Looks at the process; to be called every so many milliseconds, since it tells from that how late the event loop is. */
  sample(everyMilliseconds: number): void {
    const now = this.#now();
    this.#memoryBytes = this.#readMemory();
    if (this.#sampledAt !== undefined) {
      this.#lateMilliseconds = Math.max(0, now - this.#sampledAt - everyMilliseconds);
    }
    this.#sampledAt = now;
  }

  /** Why one request more is too many; undefined where it is not. */
  refusal(running: number, limits: ServerLimits): ShedReason | undefined {
    if (running >= limits.concurrency) return 'concurrency';
    // One at a time is always let in: memory that no request holds is given back only as further requests need some.
    return running > 0 && this.#memoryBytes > memoryLimit(limits) ? 'memory' : undefined;
  }

  /** What is beyond its limit, for people; undefined where nothing is. */
  fault({ eventLoopMilliseconds, ...limits }: ServerLimits): string | undefined {
    if (this.#lateMilliseconds > eventLoopMilliseconds) return 'the event loop is late';
    return this.#memoryBytes > memoryLimit({ eventLoopMilliseconds, ...limits })
      ? 'too much memory is held'
      : undefined;
  }
}

function memoryLimit({ memoryBytes }: ServerLimits): number {
  return memoryBytes > 0 ? memoryBytes : containerLimit;
}

const containerLimit = toContainerLimit(process.constrainedMemory(), totalmem());

/** Without a container, or one without a limit, Node gives 0 or more than the machine has. */
export function toContainerLimit(constrained: number | undefined, total: number): number {
  const isLimited = constrained !== undefined && constrained > 0 && constrained < total;
  return isLimited ? constrained * CONTAINER_SHARE : Number.POSITIVE_INFINITY;
}
