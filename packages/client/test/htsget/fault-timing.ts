import type { Clock } from '@htskit/io';

/** The `timeoutMilliseconds` of tests: longer than any delay between attempts. */
export const LIMIT = 1_000_000;
/** Time limits that pass without a byte before a body counts as stalled. */
const LIMITS_OF_A_STALL = 2;

/** A clock on which delays between attempts are over at once, and time limits pass when a connection stalls. */
export class FaultTiming implements Clock {
  readonly #limits = new Set<() => void>();
  /** Further limits that pass at once. */
  #passing = 0;

  /** Lets the running limits pass, and as many later ones as a stalled body needs. */
  stall(): void {
    this.#passing = LIMITS_OF_A_STALL - (this.#limits.size === 0 ? 0 : 1);
    for (const pass of this.#limits) pass();
    this.#limits.clear();
  }

  readonly now = (): number => Date.now();

  readonly random = (): number => 0;

  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        this.#limits.delete(resolve);
        resolve();
      });
      if (milliseconds !== LIMIT) setImmediate(resolve);
      else if (this.#passing === 0) this.#limits.add(resolve);
      else {
        this.#passing--;
        setImmediate(resolve);
      }
    });
}
