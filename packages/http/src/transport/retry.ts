import { isRetryable } from './http-error.js';
import type { Transport } from './transport.js';

/** Bytes after which a transfer counts as progressing, so that earlier failures are forgotten. */
const PROGRESS_BYTES = 1024 * 1024;

/** Counts the consecutive failures of one operation and waits between its attempts. */
export class RetryState {
  readonly #transport: Transport;
  #failureCount = 0;
  #progressBytes = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Records received bytes. Each MiB resets the count: a long transfer may break more often than a short one. */
  addProgress(byteLength: number): void {
    this.#progressBytes += byteLength;
    if (this.#progressBytes < PROGRESS_BYTES) return;
    this.#progressBytes = 0;
    this.#failureCount = 0;
  }

  /**
   * Resolves when the next attempt is due. Half of the back-off is random so that clients do not return together. Throws
   * the error if it is not transient, no retry is left, or the server requested too long a delay; the reason of the signal
   * if that is aborted.
   */
  async wait(error: unknown): Promise<void> {
    const { retries, maxRetryAfterMilliseconds, onRetry, signal, sleep } = this.#transport;
    signal?.throwIfAborted();
    if (!isRetryable(error) || this.#failureCount >= retries) throw error;
    const { retryAfterMilliseconds = 0 } = error;
    if (retryAfterMilliseconds > maxRetryAfterMilliseconds) throw error;
    const delayMilliseconds = Math.max(retryAfterMilliseconds, this.#backOff());
    this.#failureCount++;
    this.#progressBytes = 0;
    onRetry?.({ error, attempt: this.#failureCount, delayMilliseconds });
    await sleep(delayMilliseconds, signal);
    signal?.throwIfAborted();
  }

  #backOff(): number {
    const { retryDelayMilliseconds, maxRetryDelayMilliseconds, random } = this.#transport;
    const longest = Math.min(maxRetryDelayMilliseconds, retryDelayMilliseconds * 2 ** this.#failureCount);
    return longest * (0.5 + random() / 2);
  }
}

/**
 * Returns the result of `attempt`, which is repeated after transient failures. Throws the last failure, or the reason of
 * the signal.
 *
 * @example
 * const response = await withRetries(transport, () => sendRequest(transport, { url }));
 */
export async function withRetries<T>(transport: Transport, attempt: () => Promise<T>): Promise<T> {
  const state = new RetryState(transport);
  for (;;) {
    const admitted = transport.admit?.();
    try {
      transport.signal?.throwIfAborted();
      const result = await attempt();
      admitted?.succeed();
      return result;
    } catch (error) {
      admitted?.fail(error);
      await state.wait(error);
    }
  }
}

/**
 * Yields the chunks of a transfer that survives broken connections: after a transient failure `attempt` is called again and
 * must continue with the byte after the last chunk. `canContinue` decides whether that is possible; by default it is.
 *
 * @example
 * let position = 0;
 * const chunks = readWithRetries(transport, async function* () {
 *   const response = await sendRequest(transport, { url, headers: { range: `bytes=${position}-` } });
 *   for await (const chunk of readBody(response, transport)) {
 *     position += chunk.length;
 *     yield chunk;
 *   }
 * });
 */
export async function* readWithRetries(
  transport: Transport,
  attempt: () => AsyncGenerator<Uint8Array, void>,
  canContinue: () => boolean = () => true,
): AsyncGenerator<Uint8Array, void> {
  const state = new RetryState(transport);
  for (;;) {
    const admitted = transport.admit?.();
    try {
      transport.signal?.throwIfAborted();
      for await (const chunk of attempt()) {
        admitted?.succeed();
        state.addProgress(chunk.length);
        yield chunk;
      }
      admitted?.succeed();
      return;
    } catch (error) {
      admitted?.fail(error);
      if (!canContinue()) throw error;
      await state.wait(error);
    } finally {
      // The caller may have stopped before the first chunk.
      admitted?.fail();
    }
  }
}
