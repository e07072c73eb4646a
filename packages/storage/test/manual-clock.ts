import type { Clock } from '../src/http/clock.js';

/** What tests give as `timeoutMilliseconds`: longer than any wait between attempts. */
export const TIMEOUT = 1_000_000;

/** A clock on which waits between attempts are over at once, and time limits when a test says so. */
export class ManualClock implements Clock {
  /** Milliseconds of the waits between attempts, in their order. */
  readonly waits: number[] = [];
  /** Called when a wait begins; while it is set, waits never end. */
  onWait: (() => void) | undefined;
  readonly #limits = new Set<() => void>();

  now(): number {
    return Date.parse('2026-01-02T03:04:05Z');
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    if (milliseconds === TIMEOUT) {
      this.#limits.add(callback);
      return () => this.#limits.delete(callback);
    }
    this.waits.push(milliseconds);
    if (this.onWait === undefined) setImmediate(callback);
    else this.onWait();
    return () => undefined;
  }

  random(): number {
    return 0;
  }

  /** Lets the time limits of now pass. Throws where there is none. */
  expire(): void {
    if (this.#limits.size === 0) throw new Error('nothing has a time limit');
    for (const callback of this.#limits) callback();
  }
}
