import { onAbort } from './on-abort.js';

/** Time and randomness. Options of all htskit packages include them as `ClockOptions`, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after the given number of milliseconds, or as soon as the signal is aborted. Never rejects. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Some or all of a `Clock`, among other options. Default: the system's. */
export type ClockOptions = { readonly [Name in keyof Clock]?: Clock[Name] };

/** The clock, timers and random numbers of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const finish = (): void => {
        clearTimeout(timer);
        stopListening();
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      const stopListening = onAbort(signal, finish);
    }),
  random: () => Math.random(),
};

/**
 * Calls `callback` after the given number of milliseconds, and returns a function that prevents that. A timer of the system
 * takes 2 µs, and the signal that stops another clock's `sleep` 20 µs.
 */
export function startTimer({ sleep }: Pick<Clock, 'sleep'>, milliseconds: number, callback: () => void): () => void {
  if (sleep === systemClock.sleep) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  }
  const controller = new AbortController();
  const wait = async (): Promise<void> => {
    await sleep(milliseconds, controller.signal);
    if (!controller.signal.aborted) callback();
  };
  void wait();
  // A reason saves the construction of a DOMException.
  return () => controller.abort('stopped');
}

/**
 * Calls `callback` after the given number of milliseconds, unless the process has nothing else to do and ends before that. Returns a
 * function that prevents it.
 */
export function startBackgroundTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  // A timer is an object with a method in Node and Bun, and a number elsewhere.
  const { unref } = Object(timer) as { unref?: () => void };
  if (unref === undefined) (globalThis as DenoGlobal).Deno?.unrefTimer?.(timer as unknown as number);
  else unref.call(timer);
  return () => clearTimeout(timer);
}

interface DenoGlobal {
  readonly Deno?: { readonly unrefTimer?: (id: number) => void };
}
