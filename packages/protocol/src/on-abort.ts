/** Those who wait for a signal, of which Node would warn if they were more than ten listeners of it. */
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
    // A signal that is listened to is kept in memory by what it follows.
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
 * Calls back with the signal's reason once it is aborted, at once where it is already. What it returns ends that. However
 * many wait for one signal, they add one listener to it.
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
