import { checkNotAborted, onAbort, StorageError, toAbortedError } from '@htskit/io';
import type { Transport } from './transport.js';

/** Bytes after which a transfer counts as one that gets on, and may fail as often again. */
const PROGRESS_BYTES = 1024 * 1024;

interface RetryContext {
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

/** What `attempt` gives, as often as it may be made. */
export async function withRetries<T>(
  transport: Transport,
  context: RetryContext,
  attempt: () => Promise<T>,
): Promise<T> {
  const retries = new Retries(transport, context);
  for (;;) {
    try {
      checkNotAborted(context.signal, context.key);
      return await attempt();
    } catch (error) {
      await retries.wait(error);
    }
  }
}

/** Counts the failures of one request. */
export class Retries {
  readonly #transport: Transport;
  readonly #context: RetryContext;
  #failureCount = 0;
  #byteLength = 0;

  constructor(transport: Transport, context: RetryContext) {
    this.#transport = transport;
    this.#context = context;
  }

  /** Tells that bytes came: a long transfer may break more often than a short one. */
  progress(byteLength: number): void {
    this.#byteLength += byteLength;
    if (this.#byteLength < PROGRESS_BYTES) return;
    this.#byteLength = 0;
    this.#failureCount = 0;
  }

  /** Waits before the next attempt. Throws the error where it is not transient, or no attempt is left; or ABORTED. */
  async wait(error: unknown): Promise<void> {
    this.#failureCount++;
    const { attempts, backoffMilliseconds, maxWaitMilliseconds, clock } = this.#transport;
    if (!(error instanceof StorageError && error.isTransient) || this.#failureCount >= attempts) throw error;
    const { retryAfterMilliseconds = 0 } = error;
    if (retryAfterMilliseconds > maxWaitMilliseconds) throw error;
    const backoff = Math.min(backoffMilliseconds * 2 ** (this.#failureCount - 1), maxWaitMilliseconds);
    await this.#sleep(Math.max(retryAfterMilliseconds, backoff * (0.5 + clock.random() / 2)));
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { signal, key } = this.#context;
    checkNotAborted(signal, key);
    let stop: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const cancelTimer = this.#transport.clock.schedule(milliseconds, resolve);
        if (signal === undefined) return;
        const stopListening = onAbort(signal, () => reject(toAbortedError(signal, key)));
        stop = () => {
          cancelTimer();
          stopListening();
        };
      });
    } finally {
      stop?.();
    }
  }
}
