import type { TransportOptions } from '@htskit/http';

/** A time limit that is longer than any delay between attempts. */
export const TIMEOUT = 1_000_000;

/** A clock on which delays between attempts are over at once, and time limits pass when a test says so. */
export class ManualClock {
  /** The delays between attempts in milliseconds. */
  readonly waits: number[] = [];
  /** The time limits that were set, in milliseconds. */
  readonly limits: number[] = [];
  /** Called when a delay begins. While it is set, delays last until the signal is aborted. */
  onWait: (() => void) | undefined;
  now = (): number => Date.parse('2026-01-02T03:04:05Z');
  random = (): number => 0;
  readonly #running = new Set<() => void>();

  /** Options that make a backend use this clock. */
  get options(): Pick<TransportOptions, 'now' | 'sleep' | 'random' | 'timeoutMilliseconds'> {
    return {
      now: () => this.now(),
      random: () => this.random(),
      sleep: (milliseconds, signal) => this.#sleep(milliseconds, signal),
      timeoutMilliseconds: TIMEOUT,
    };
  }

  /** Lets all running time limits pass, twice: a stall of a body is noticed after the second. Throws if there is none. */
  async expire(): Promise<void> {
    if (this.#running.size === 0) throw new Error('no time limit is running');
    for (let round = 0; round < 2; round++) {
      for (const pass of [...this.#running]) pass();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (milliseconds >= TIMEOUT) this.#limit(milliseconds, resolve, signal);
      else this.#wait(milliseconds, resolve);
    });
  }

  #limit(milliseconds: number, resolve: () => void, signal: AbortSignal | undefined): void {
    this.limits.push(milliseconds);
    const pass = (): void => {
      this.#running.delete(pass);
      resolve();
    };
    this.#running.add(pass);
    signal?.addEventListener('abort', pass, { once: true });
  }

  #wait(milliseconds: number, resolve: () => void): void {
    this.waits.push(milliseconds);
    if (this.onWait === undefined) setImmediate(resolve);
    else this.onWait();
  }
}
