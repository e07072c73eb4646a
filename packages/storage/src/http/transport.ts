import { type Clock, systemClock } from './clock.js';

/** How requests are sent, limited in time, and sent again. Throws RangeError for numbers that make no sense. */
export interface HttpOptions {
  /** Default: the global one. It must honour `signal`, `redirect: 'manual'` and the header `Accept-Encoding`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is sent, the first time included, where failures are transient. Default 5. */
  readonly attempts?: number | undefined;
  /** Before the second attempt; twice as long before each further one; half of it is left to chance. Default 200. */
  readonly backoffMilliseconds?: number | undefined;
  /** Between attempts. A store that asks for more, by `Retry-After`, is not asked again. Default 20,000. */
  readonly maxWaitMilliseconds?: number | undefined;
  /**
   * For an attempt to be answered, once for each MiB that it sends, and for each piece of the answer to follow. Default
   * 30,000.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /** Default: that of the system. */
  readonly clock?: Clock | undefined;
}

export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly attempts: number;
  readonly backoffMilliseconds: number;
  readonly maxWaitMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly clock: Clock;
}

export function toTransport(options: HttpOptions): Transport {
  return {
    // Looked up when it is used; called as a method, that of workerd throws.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    attempts: checkNumber('attempts', options.attempts ?? 5, 1),
    backoffMilliseconds: checkNumber('backoffMilliseconds', options.backoffMilliseconds ?? 200, 0),
    maxWaitMilliseconds: checkNumber('maxWaitMilliseconds', options.maxWaitMilliseconds ?? 20_000, 0),
    timeoutMilliseconds: checkNumber('timeoutMilliseconds', options.timeoutMilliseconds ?? 30_000, 1),
    clock: options.clock ?? systemClock,
  };
}

/** Timers hold 31 bits. */
export const MAX_TIMER_MILLISECONDS: number = 2 ** 31 - 1;

function checkNumber(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && min <= value && value <= MAX_TIMER_MILLISECONDS) return value;
  throw new RangeError(`${name} must be a whole number from ${min} to ${MAX_TIMER_MILLISECONDS}, found ${value}`);
}
