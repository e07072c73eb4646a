import { onAbort } from '@htskit/io';
import type { ClientError, ClientErrorCode, ClientErrorOptions } from '../client-error.js';

/** What the clients of both protocols are told about their connections. */
export interface TransportOptions {
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  /** Ends everything that is under way; what fails then fails with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How often in a row a request is repeated after a failure that may pass. Default 5. */
  readonly retries?: number | undefined;
  /** Milliseconds without a byte after which a connection is given up. Default 60,000. */
  readonly stallMilliseconds?: number | undefined;
  /** Redirects of one request. Default 10. */
  readonly maxRedirects?: number | undefined;
  /** Takes block URLs and redirects that leave https for http. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Told of each failure that is tried again. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Settles after so many milliseconds, or when the signal is aborted. Default: a timer. */
  readonly sleep?: Sleep | undefined;
  /** In [0, 1), for the jitter of delays. Default Math.random. */
  readonly random?: (() => number) | undefined;
}

/** As the global `fetch`, as far as it is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface RetryEvent {
  readonly error: ClientError;
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly delayMilliseconds: number;
}

type CreateError = (code: ClientErrorCode, message: string, options?: ClientErrorOptions) => ClientError;

/** Options with their defaults, and the error class of the protocol. */
export interface Transport {
  readonly fetch: Fetch;
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
  readonly stallMilliseconds: number;
  readonly maxRedirects: number;
  readonly allowInsecure: boolean;
  readonly onRetry: ((event: RetryEvent) => void) | undefined;
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly createError: CreateError;
}

export function createTransport(options: TransportOptions, createError: CreateError): Transport {
  return {
    // Not the function itself: browsers refuse a fetch whose `this` is not the window.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    signal: options.signal,
    retries: options.retries ?? 5,
    stallMilliseconds: options.stallMilliseconds ?? 60_000,
    maxRedirects: options.maxRedirects ?? 10,
    allowInsecure: options.allowInsecure ?? false,
    onRetry: options.onRetry,
    sleep: options.sleep ?? sleepByTimer,
    random: options.random ?? Math.random,
    createError,
  };
}

function sleepByTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      stopListening();
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    const stopListening = onAbort(signal, finish);
  });
}
