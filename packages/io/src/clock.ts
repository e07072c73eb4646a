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

/** Calls `callback` as `startTimer` does, unless the process has nothing else to do and ends before that. */
export function startBackgroundTimer(
  { sleep }: Pick<Clock, 'sleep'>,
  milliseconds: number,
  callback: () => void,
): () => void {
  if (sleep !== systemClock.sleep) return startTimer({ sleep }, milliseconds, callback);
  const timer: unknown = setTimeout(callback, milliseconds);
  unrefTimer(timer);
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
}

/** Lets the process end before a timer. It is an object with a method in Node and Bun, and a number elsewhere. */
function unrefTimer(timer: unknown): void {
  if (typeof timer === 'object') (timer as { readonly unref?: () => void } | null)?.unref?.();
  else (globalThis as DenoGlobal).Deno?.unrefTimer?.(timer as number);
}

interface DenoGlobal {
  readonly Deno?: { readonly unrefTimer?: (id: number) => void };
}
