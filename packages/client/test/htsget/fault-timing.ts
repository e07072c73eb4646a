import type { Sleep } from '../../src/index.js';

/** What tests give as the time without a byte after which a connection is given up: other than any wait for another attempt. */
export const LIMIT = 1_000_000;

/** Time, as the client and the backends of storage see it: waits are over at once, and limits when a connection stalls. */
export class FaultTiming {
  readonly #limits = new Set<() => void>();
  #isStalled = false;

  /** Lets the limits of now pass, or else the next one. */
  stall(): void {
    this.#isStalled = this.#limits.size === 0;
    for (const pass of this.#limits) pass();
  }

  now(): number {
    return Date.now();
  }

  random(): number {
    return 0;
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    if (milliseconds !== LIMIT || this.#isStalled) {
      this.#isStalled &&= milliseconds !== LIMIT;
      setImmediate(callback);
      return () => undefined;
    }
    this.#limits.add(callback);
    return () => this.#limits.delete(callback);
  }

  readonly sleep: Sleep = (milliseconds, signal) =>
    new Promise((resolve) => {
      const cancel = this.schedule(milliseconds, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
}
