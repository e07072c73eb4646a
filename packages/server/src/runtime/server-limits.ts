import { z } from 'zod';

/** Limits that protect the server from its clients and from overload. */
export interface ServerLimits {
  /** Maximum number of requests that are worked on; further ones get 503. One that arrives or is read slowly does not count. */
  readonly concurrency: number;
  /**
   * Maximum number of open connections. A further one replaces the one that has been idle for longest, and is closed if none is
   * idle. A process that may open few files has fewer connections.
   */
  readonly connections: number;
  /**
   * Maximum number of open connections of a client address, under the same rule. Behind trusted proxies, maximum number of
   * unanswered requests; further ones get 503.
   */
  readonly connectionsPerClient: number;
  /** Maximum number of unanswered requests per connection; a connection that exceeds it is closed. */
  readonly pipelined: number;
  /** Resident memory of the process, in bytes, beyond which requests get 503; 0 means the limit of the container, if any. */
  readonly memoryBytes: number;
  /** Milliseconds that the event loop may be late before the server reports that it is not ready. */
  readonly eventLoopMilliseconds: number;
  /** Seconds within which the head of a request must arrive; also the limit of a TLS handshake. */
  readonly headerSeconds: number;
  /** Maximum number of bytes of the head of a request; a longer one gets 431. Fixed when the server starts. */
  readonly requestHeaderBytes: number;
  /** Seconds within which a whole request must arrive. */
  readonly requestSeconds: number;
  /** Seconds for which an idle connection is kept open. */
  readonly keepAliveSeconds: number;
  /** Seconds over which the speed of a client is measured, while bytes wait for it. */
  readonly stallSeconds: number;
  /** Minimum speed of a client over `stallSeconds`, in bytes per second; a slower one is cut off. */
  readonly bytesPerSecond: number;
  /** The Retry-After of a 503, in seconds. */
  readonly retryAfterSeconds: number;
  /** Seconds for which the server still listens after it reported that it is not ready. */
  readonly shutdownDelaySeconds: number;
  /** Seconds within which running responses must end when the server stops. */
  readonly drainSeconds: number;
}

const DEFAULT_SERVER_LIMITS: ServerLimits = {
  concurrency: 256,
  connections: 4096,
  connectionsPerClient: 1024,
  pipelined: 32,
  memoryBytes: 0,
  eventLoopMilliseconds: 1000,
  headerSeconds: 15,
  requestHeaderBytes: 16_384,
  requestSeconds: 60,
  keepAliveSeconds: 15,
  stallSeconds: 30,
  bytesPerSecond: 8192,
  retryAfterSeconds: 2,
  shutdownDelaySeconds: 0,
  drainSeconds: 30,
};

const wholeNumber = (key: keyof ServerLimits, minimum: number, what: string): z.ZodOptional<z.ZodNumber> =>
  z.int().min(minimum).optional().describe(`${what} Default: ${DEFAULT_SERVER_LIMITS[key]}.`);

/** The longest time for a timer of Node, in seconds. */
const MAX_SECONDS = 2_147_483;

const seconds = (key: keyof ServerLimits, minimum: number, what: string): z.ZodOptional<z.ZodNumber> =>
  z.number().min(minimum).max(MAX_SECONDS).optional().describe(`${what} Default: ${DEFAULT_SERVER_LIMITS[key]}.`);

/** The keys of the section `limits` that are limits of the server. */
export const serverLimitsShape: Readonly<Record<keyof ServerLimits, z.ZodOptional<z.ZodNumber>>> = {
  concurrency: wholeNumber('concurrency', 1, 'Maximum number of requests that are worked on; further ones get 503.'),
  connections: wholeNumber(
    'connections',
    1,
    'Maximum number of open connections, fewer if the process may open few files. At the limit, idle ones are closed first.',
  ),
  connectionsPerClient: wholeNumber(
    'connectionsPerClient',
    1,
    'Maximum number of open connections of a client address, or of its unanswered requests behind trusted proxies.',
  ),
  pipelined: wholeNumber('pipelined', 1, 'Maximum number of unanswered requests per connection.'),
  memoryBytes: wholeNumber(
    'memoryBytes',
    0,
    'Memory of the process, in bytes, beyond which requests get 503; 0 means 90 % of the container.',
  ),
  eventLoopMilliseconds: wholeNumber(
    'eventLoopMilliseconds',
    1,
    'Delay of the event loop, in milliseconds, beyond which the server is not ready.',
  ),
  headerSeconds: seconds('headerSeconds', 0.001, 'Time for the head of a request to arrive.'),
  requestHeaderBytes: wholeNumber(
    'requestHeaderBytes',
    1024,
    'Maximum number of bytes of the head of a request, and with auth.passports 65536 by default; a longer one gets 431.',
  ),
  requestSeconds: seconds('requestSeconds', 0.001, 'Time for a whole request to arrive.'),
  keepAliveSeconds: seconds('keepAliveSeconds', 0.001, 'Time for which an idle connection is kept open.'),
  stallSeconds: seconds('stallSeconds', 0.001, 'Time over which the speed of a client is measured.'),
  bytesPerSecond: wholeNumber('bytesPerSecond', 1, 'Minimum speed of a client; a slower one is cut off.'),
  retryAfterSeconds: wholeNumber('retryAfterSeconds', 1, 'The Retry-After of a 503.'),
  shutdownDelaySeconds: seconds('shutdownDelaySeconds', 0, 'Time between "not ready" and the end of listening.'),
  drainSeconds: seconds('drainSeconds', 0, 'Time for running responses to end when the server stops.'),
};

/** Returns the limits with defaults for those that are left out or undefined. */
export function withLimitDefaults(limits: { readonly [Key in keyof ServerLimits]?: number } = {}): ServerLimits {
  const defined = Object.entries(limits).filter(([key, limit]) => limit !== undefined && key in DEFAULT_SERVER_LIMITS);
  return { ...DEFAULT_SERVER_LIMITS, ...Object.fromEntries(defined) };
}
