import { type Clock, type ClockOptions, systemClock } from '@htskit/io';
import { type CreateHttpError, HttpError, type RetryableError } from './http-error.js';

/** The global `fetch`, as far as the transport uses it: with a string URL and an init. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryEvent {
  /** The failure of the last attempt. */
  readonly error: RetryableError;
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly delayMilliseconds: number;
}

/** Options of every package that makes HTTP requests. `now`, `sleep` and `random` are for tests. */
export interface TransportOptions extends ClockOptions {
  /** Default: the global `fetch`. It must honour `signal`, `redirect: 'manual'` and `Accept-Encoding`. */
  readonly fetch?: Fetch;
  /** Aborts everything in progress, which then fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Retries after the first attempt, for transient failures without 1 MiB of progress in between. Default 5. */
  readonly retries?: number;
  /** Back-off before the first retry. It doubles with each retry; between half of it and all of it is waited. Default 250. */
  readonly retryDelayMilliseconds?: number;
  /** Longest back-off. Default 30,000. */
  readonly maxRetryDelayMilliseconds?: number;
  /** Longest `Retry-After` that is waited for. A longer one fails. Default 120,000. */
  readonly maxRetryAfterMilliseconds?: number;
  /** Time limit for connecting and the response headers, once per MiB of the request's body. Default 30,000. */
  readonly timeoutMilliseconds?: number;
  /** Time limit for each chunk of a body. Default `timeoutMilliseconds`. */
  readonly stallMilliseconds?: number;
  /** Redirects that are followed for one request. Default 20, as in the Fetch standard (§4.4). */
  readonly maxRedirects?: number;
  /** Follows redirects from https to http. Default false. */
  readonly allowInsecure?: boolean;
  /**
   * The hosts, with the port unless it is that of the scheme, to which redirects may lead besides the host of the request. Set it
   * where the server that redirects must not choose what is requested: with [], it cannot name an internal address. Default: any.
   */
  readonly redirectHosts?: readonly string[];
  /** Called before each retry. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Admits the attempts, such as a circuit breaker. Default: all are admitted. */
  readonly admit?: AdmitAttempt;
}

/** Called before each attempt of an operation. What it throws fails the operation without a retry. */
export type AdmitAttempt = () => AdmittedAttempt;

/** Learns how an attempt ends. Only the first call counts. */
export interface AdmittedAttempt {
  /** The attempt has succeeded, or its first bytes have arrived. */
  succeed(): void;
  /** The attempt has failed. Without an error, the caller has given up. */
  fail(error?: unknown): void;
}

/** Options with their defaults, and the error class of the caller. Spread it to derive one with another signal. */
export interface Transport extends Clock {
  readonly fetch: Fetch;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
  readonly retryDelayMilliseconds: number;
  readonly maxRetryDelayMilliseconds: number;
  readonly maxRetryAfterMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly maxRedirects: number;
  readonly allowInsecure: boolean;
  readonly redirectHosts: readonly string[] | undefined;
  readonly onRetry: ((event: RetryEvent) => void) | undefined;
  readonly admit: AdmitAttempt | undefined;
  readonly createError: CreateHttpError;
}

/** Timers hold 31 bits. */
export const MAX_TIMER_MILLISECONDS: number = 2 ** 31 - 1;

/**
 * Returns a transport for `sendRequest`, `readBody` and `withRetries`. Throws RangeError for a number outside of its bounds.
 *
 * @example
 * const transport = createTransport({ retries: 2, signal });
 * const bytes = await withRetries(transport, async () => {
 *   const response = await sendRequest(transport, { url: 'https://example.org/data' });
 *   if (response.status !== 200) throw await toServerError(response, transport);
 *   return readBytes(response, 1024 * 1024, transport);
 * });
 */
export function createTransport(
  options: TransportOptions = {},
  createError: CreateHttpError = (failure) => new HttpError(failure),
): Transport {
  const { timeoutMilliseconds = 30_000 } = options;
  return {
    // Looked up when it is called, and not called as a method: browsers and workerd refuse another `this`.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    signal: options.signal,
    retries: checkNumber('retries', options.retries ?? 5, 0),
    retryDelayMilliseconds: checkNumber('retryDelayMilliseconds', options.retryDelayMilliseconds ?? 250, 0),
    maxRetryDelayMilliseconds: checkNumber('maxRetryDelayMilliseconds', options.maxRetryDelayMilliseconds ?? 30_000, 0),
    maxRetryAfterMilliseconds: checkNumber(
      'maxRetryAfterMilliseconds',
      options.maxRetryAfterMilliseconds ?? 120_000,
      0,
    ),
    timeoutMilliseconds: checkNumber('timeoutMilliseconds', timeoutMilliseconds, 1),
    stallMilliseconds: checkNumber('stallMilliseconds', options.stallMilliseconds ?? timeoutMilliseconds, 1),
    maxRedirects: checkNumber('maxRedirects', options.maxRedirects ?? 20, 0),
    allowInsecure: options.allowInsecure ?? false,
    redirectHosts: options.redirectHosts,
    onRetry: options.onRetry,
    admit: options.admit,
    now: options.now ?? systemClock.now,
    sleep: options.sleep ?? systemClock.sleep,
    random: options.random ?? systemClock.random,
    createError,
  };
}

function checkNumber(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && min <= value && value <= MAX_TIMER_MILLISECONDS) return value;
  throw new RangeError(`${name} must be an integer from ${min} to ${MAX_TIMER_MILLISECONDS}, found ${value}`);
}
