import type { AdmitAttempt } from '@htskit/http';
import type { AdmittedAttempt } from '@htskit/http/internal';
import { StorageError } from '@htskit/io';

/**
 * closed: the store responds. open: it does not, and requests fail at once. half-open: the next request tests whether it
 * responds again.
 */
export type StoreState = 'closed' | 'open' | 'half-open';

export interface StoreGuardOptions {
  /** Operations that may wait for the store at once; further ones fail. Default 128. */
  readonly concurrency?: number;
  /** Consecutive transient failures after which requests fail at once. Default 10. */
  readonly failures?: number;
  /** Milliseconds for which requests then fail, before one of them tests the store. Default 10,000. */
  readonly openMilliseconds?: number;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
}

/** Why a guard refused an operation. */
export type StoreRefusal = 'busy' | 'open';

/** Milliseconds after which an operation may be repeated that was refused because too many others waited. */
const BUSY_MILLISECONDS = 1000;

/**
 * Keeps a store that does not respond from holding up everything else: a limit of the operations that wait for it, and a
 * circuit breaker. Refused operations fail at once with a transient `StorageError` UNAVAILABLE. One guard serves all sources of
 * a store.
 *
 * @example
 * const guard = new StoreGuard('s3://cohort');
 * const source = guardedSource(s3Source({ bucket: 'cohort', key: 'reads.bam', admit: guard.admit }), guard);
 */
export class StoreGuard {
  /** Names the store in metrics and logs; without credentials. */
  readonly name: string;
  /** The option `admit` of the sources: the circuit breaker. It observes each attempt, retries included. */
  readonly admit: AdmitAttempt = () => this.#admit();
  readonly #concurrency: number;
  readonly #failures: number;
  readonly #openMilliseconds: number;
  readonly #now: () => number;
  readonly #refusals: Record<StoreRefusal, number> = { busy: 0, open: 0 };
  #waitingCount = 0;
  #failureCount = 0;
  /** Undefined while the store responds. */
  #openUntil: number | undefined;
  #isTesting = false;

  constructor(name: string, options: StoreGuardOptions = {}) {
    const { concurrency = 128, failures = 10, openMilliseconds = 10_000, now = () => performance.now() } = options;
    this.name = name;
    this.#concurrency = concurrency;
    this.#failures = failures;
    this.#openMilliseconds = openMilliseconds;
    this.#now = now;
  }

  get state(): StoreState {
    if (this.#openUntil === undefined) return 'closed';
    return this.#now() < this.#openUntil ? 'open' : 'half-open';
  }

  /** Operations that are waiting for the store. */
  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Operations that were refused so far, by reason. */
  get refusals(): Readonly<Record<StoreRefusal, number>> {
    return this.#refusals;
  }

  /** Runs an operation that waits for the store, or fails if too many others do. Cached results should come from within it. */
  async wait<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (this.#waitingCount >= this.#concurrency) {
      throw this.#refuse('busy', 'too many requests are waiting for the store', BUSY_MILLISECONDS);
    }
    this.#waitingCount++;
    try {
      return await operation();
    } finally {
      this.#waitingCount--;
    }
  }

  #admit(): AdmittedAttempt {
    const isTest = this.#openUntil !== undefined;
    if (this.state === 'open' || (isTest && this.#isTesting)) {
      const left = (this.#openUntil ?? 0) - this.#now();
      throw this.#refuse('open', 'the store does not respond', Math.max(left, BUSY_MILLISECONDS));
    }
    if (isTest) this.#isTesting = true;
    let hasEnded = false;
    const end = (change: () => void): void => {
      if (hasEnded) return;
      hasEnded = true;
      if (isTest) this.#isTesting = false;
      change();
    };
    return { succeed: () => end(() => this.#close()), fail: (error) => end(() => this.#fail(error)) };
  }

  #close(): void {
    this.#failureCount = 0;
    this.#openUntil = undefined;
  }

  #fail(error: unknown): void {
    // The reason of a caller who gave up says nothing about the store.
    if (!(error instanceof StorageError) || error.code === 'ABORTED') return;
    if (!error.isTransient) {
      // A missing or forbidden object is a response.
      this.#close();
      return;
    }
    this.#failureCount++;
    const isOpen = this.state === 'open';
    if (this.#failureCount >= this.#failures && !isOpen) this.#openUntil = this.#now() + this.#openMilliseconds;
  }

  #refuse(reason: StoreRefusal, message: string, retryAfterMilliseconds: number): StorageError {
    this.#refusals[reason]++;
    return new StorageError('UNAVAILABLE', message, { key: this.name, isTransient: true, retryAfterMilliseconds });
  }
}
