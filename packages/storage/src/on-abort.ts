/** What waits for a signal, by one listener however many these are: Node warns of more than ten, as if they leaked. */
class AbortListener {
  readonly #signal: AbortSignal;
  readonly #callbacks = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(callback: () => void): void {
    if (this.#callbacks.size === 0) this.#signal.addEventListener('abort', this.#call);
    this.#callbacks.add(callback);
  }

  delete(callback: () => void): void {
    this.#callbacks.delete(callback);
    // A signal that is listened to is kept in memory by what it follows.
    if (this.#callbacks.size === 0) this.#signal.removeEventListener('abort', this.#call);
  }

  readonly #call = (): void => {
    for (const callback of this.#callbacks) callback();
  };
}

const listeners = new WeakMap<AbortSignal, AbortListener>();

/** Calls back when the signal is aborted, not where it is already. What it returns ends that. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const listener = listeners.get(signal) ?? new AbortListener(signal);
  listeners.set(signal, listener);
  listener.add(callback);
  return () => listener.delete(callback);
}
