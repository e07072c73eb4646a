import { z } from 'zod';

/** What the server allows itself and its clients. */
export interface ServerLimits {
  /** Requests that are answered at the same time, streams included; more are told to come again. */
  readonly concurrency: number;
  /** Open connections; more are closed at once. */
  readonly connections: number;
  /** Requests that one connection may send ahead of their answers; one that sends more is closed. */
  readonly pipelined: number;
  /** Bytes of memory that the process holds, from which on requests are told to come again; 0 means any number. */
  readonly memoryBytes: number;
  /** Milliseconds that the event loop may be late before the server says that it is not ready. */
  readonly eventLoopMilliseconds: number;
  /** Seconds in which a request's head must be there; also a TLS handshake. */
  readonly headerSeconds: number;
  /** Seconds in which a whole request must be there. */
  readonly requestSeconds: number;
  /** Seconds that an idle connection is kept open. */
  readonly keepAliveSeconds: number;
  /** Seconds that a client may take nothing of what waits for it, besides the time that `bytesPerSecond` gives it. */
  readonly stallSeconds: number;
  /** Bytes per second that a client takes at least; one that is slower is cut off. */
  readonly bytesPerSecond: number;
  /** Seconds after which a client that was told to come again may. */
  readonly retryAfterSeconds: number;
  /** Seconds between the moment at which the server says that it is not ready, and that at which it stops listening. */
  readonly shutdownDelaySeconds: number;
  /** Seconds that running answers have to end in once the server closes. */
  readonly drainSeconds: number;
}

const DEFAULT_SERVER_LIMITS: ServerLimits = {
  concurrency: 256,
  connections: 4096,
  pipelined: 32,
  memoryBytes: 0,
  eventLoopMilliseconds: 1000,
  headerSeconds: 15,
  requestSeconds: 60,
  keepAliveSeconds: 15,
  stallSeconds: 30,
  bytesPerSecond: 8192,
  retryAfterSeconds: 2,
  shutdownDelaySeconds: 0,
  drainSeconds: 30,
};

const wholeNumber = (key: keyof ServerLimits, minimum: number, what: string): z.ZodType<number | undefined> =>
  z.int().min(minimum).optional().describe(`${what} Default: ${DEFAULT_SERVER_LIMITS[key]}.`);

/** Longest time for a timer of Node, in seconds. */
const MAX_SECONDS = 2_147_483;

const seconds = (key: keyof ServerLimits, minimum: number, what: string): z.ZodType<number | undefined> =>
  z.number().min(minimum).max(MAX_SECONDS).optional().describe(`${what} Default: ${DEFAULT_SERVER_LIMITS[key]}.`);

/** Of the section `limits`, the keys that are the server's. */
export const serverLimitsShape: Readonly<Record<keyof ServerLimits, z.ZodType<number | undefined>>> = {
  concurrency: wholeNumber('concurrency', 1, 'Requests answered at once; more get a 503.'),
  connections: wholeNumber('connections', 1, 'Open connections; more are closed at once.'),
  pipelined: wholeNumber('pipelined', 1, 'Requests of a connection that wait for answers; one with more is closed.'),
  memoryBytes: wholeNumber('memoryBytes', 0, 'Memory of the process beyond which requests get a 503; 0 means any.'),
  eventLoopMilliseconds: wholeNumber('eventLoopMilliseconds', 1, 'How late the event loop may be while it is ready.'),
  headerSeconds: seconds('headerSeconds', 0.001, 'In which the head of a request must be there.'),
  requestSeconds: seconds('requestSeconds', 0.001, 'In which a whole request must be there.'),
  keepAliveSeconds: seconds('keepAliveSeconds', 0.001, 'For which an idle connection is kept open.'),
  stallSeconds: seconds('stallSeconds', 0.001, 'For which a client may take nothing of what waits for it.'),
  bytesPerSecond: wholeNumber('bytesPerSecond', 1, 'That a client takes at least; a slower one is cut off.'),
  retryAfterSeconds: wholeNumber('retryAfterSeconds', 1, 'After which a client that got a 503 may come again.'),
  shutdownDelaySeconds: seconds('shutdownDelaySeconds', 0, 'From not being ready to no longer listening.'),
  drainSeconds: seconds('drainSeconds', 0, 'In which running answers must end once the server closes.'),
};

/** The limits, with defaults for those that are left out or undefined. */
export function withLimitDefaults(
  limits: { readonly [Key in keyof ServerLimits]?: number | undefined } = {},
): ServerLimits {
  const given = Object.entries(limits).filter(([key, limit]) => limit !== undefined && key in DEFAULT_SERVER_LIMITS);
  return { ...DEFAULT_SERVER_LIMITS, ...Object.fromEntries(given) };
}
