import { toAbortedError } from './storage-error.js';

/** Distributes one listener of a signal to many callbacks: Node warns about more than ten listeners on one signal. */
class AbortListener {
  readonly #signal: AbortSignal;
  readonly #callbacks = new Set<(reason: unknown) => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(callback: (reason: unknown) => void): void {
    if (this.#callbacks.size === 0) this.#signal.addEventListener('abort', this.#call);
    this.#callbacks.add(callback);
  }

  delete(callback: (reason: unknown) => void): void {
    this.#callbacks.delete(callback);
    // A signal with a listener is kept alive by the signals it depends on.
    if (this.#callbacks.size === 0) this.#signal.removeEventListener('abort', this.#call);
  }

  readonly #call = (): void => {
    this.#signal.removeEventListener('abort', this.#call);
    for (const callback of this.#callbacks) {
      this.#callbacks.delete(callback);
      callback(this.#signal.reason);
    }
  };
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/**
 * Calls `callback` with the reason of the signal when it is aborted, or at once if it already is, and returns a function
 * that unregisters it. All callbacks of a signal share one event listener.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    callback(signal.reason);
    return () => undefined;
  }
  const listener = listeners.get(signal) ?? new AbortListener(signal);
  listeners.set(signal, listener);
  listener.add(callback);
  return () => listener.delete(callback);
}

/**
 * Waits for work that other callers may be waiting for too, which the signal therefore must not stop. Throws `StorageError`
 * ABORTED as soon as the signal is aborted. `key` is that of the source, for the error.
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  key: string,
): Promise<Result> {
  if (signal === undefined) return work;
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(toAbortedError(signal, key)));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}
