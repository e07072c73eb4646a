import { ClientError } from '../client-error.js';
import type { Transport } from './transport.js';

const FIRST_DELAY = 250;
const MAX_DELAY = 30_000;
/** Milliseconds for which a server may ask; what asks for longer has failed. */
const MAX_RETRY_AFTER = 120_000;

/** Counts the failures of one piece of work and waits between them. */
export class RetryState {
  readonly #transport: Transport;
  #failures = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The work got on: earlier failures do not count. */
  reset(): void {
    this.#failures = 0;
  }

  /**
   * Resolves when it is time to try again, with jitter so that clients do not come back together. Throws the error if it
   * does not pass, or came too often.
   */
  async wait(error: unknown): Promise<void> {
    const { retries, onRetry, signal, sleep } = this.#transport;
    signal?.throwIfAborted();
    const asked = error instanceof ClientError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    if (!(error instanceof ClientError) || !error.isTransient || this.#failures >= retries || asked > MAX_RETRY_AFTER) {
      throw error;
    }
    const backOff = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** this.#failures) * (0.5 + this.#transport.random() / 2);
    const delayMilliseconds = Math.max(asked, backOff);
    this.#failures++;
    onRetry?.({ error, attempt: this.#failures, delayMilliseconds });
    await sleep(delayMilliseconds, signal ?? new AbortController().signal);
    signal?.throwIfAborted();
  }
}

/** What the attempt resolves with, which is made again after failures that may pass. */
export async function withRetries<T>(transport: Transport, attempt: () => Promise<T>): Promise<T> {
  const patience = new RetryState(transport);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      await patience.wait(error);
    }
  }
}
