import { fromHttpStatus } from '../http-status.js';
import { checkNotAborted, StorageError, toAbortedError } from '../storage-error.js';
import { drain, fetchFollowing, type HttpRequest } from './redirects.js';
import { parseRetryAfter } from './retries.js';
import type { Transport } from './transport.js';

export interface ExchangeContext {
  readonly transport: Transport;
  /** Of the source. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

/** What ends a step that takes too long. */
const TIMED_OUT = new Error('timed out');

/**
 * One request and its answer, which has a time limit at each step. All failures are StorageErrors. It holds a connection
 * until the body has been read, or `end` or `discard` is called.
 */
export class Exchange {
  readonly #context: ExchangeContext;
  readonly #controller = new AbortController();
  #answer: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  private constructor(context: ExchangeContext) {
    this.#context = context;
  }

  /** Sends what `prepare` gives. Gives any answer, whatever its status. */
  static async start(prepare: () => Promise<HttpRequest>, context: ExchangeContext): Promise<Exchange> {
    checkNotAborted(context.signal, context.key);
    const exchange = new Exchange(context);
    context.signal?.addEventListener('abort', exchange.#abort);
    try {
      const request = await exchange.#limit(exchange.#prepare(prepare));
      const { signal } = exchange.#controller;
      exchange.#answer = await exchange.#limit(fetchFollowing(context.transport.fetch, request, signal));
      exchange.#reader = exchange.#answer.body?.getReader();
      return exchange;
    } catch (error) {
      exchange.end();
      throw error;
    }
  }

  get status(): number {
    return this.#answer?.status ?? 0;
  }

  header(name: string): string | null {
    return this.#answer?.headers.get(name) ?? null;
  }

  /** The next bytes of the body, never none; undefined at its end. */
  async next(): Promise<Uint8Array | undefined> {
    const reader = this.#reader;
    if (reader === undefined) return undefined;
    for (;;) {
      const { done, value } = await this.#limit(reader.read());
      if (done) {
        this.#reader = undefined;
        return undefined;
      }
      if (value.length > 0) return value;
    }
  }

  /** The body as UTF-8. Throws UNAVAILABLE where that is more than `maxBytes`. */
  async text(maxBytes: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let byteLength = 0;
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      byteLength += chunk.length;
      if (byteLength > maxBytes) throw this.#failure(`the answer of the store has more than ${maxBytes} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }

  /** The failure that an answer with this status is. Its body is not of use any more. */
  async refusal(): Promise<StorageError> {
    const { key, transport } = this.#context;
    const retryAfterMilliseconds = parseRetryAfter(this.header('retry-after'), transport.clock.now());
    const error = fromHttpStatus(this.status, { key, retryAfterMilliseconds });
    await this.discard();
    return error;
  }

  /** Reads the rest of the body, where it is short, so that the connection can be used again; then ends. */
  async discard(): Promise<void> {
    try {
      await this.#limit(drain(this.#reader));
      this.#reader = undefined;
    } catch {
      // The answer was not needed.
    } finally {
      this.end();
    }
  }

  /** Gives the connection up, unless the whole body was read. */
  end(): void {
    this.#context.signal?.removeEventListener('abort', this.#abort);
    if (this.#answer === undefined || this.#reader !== undefined) this.#controller.abort();
  }

  readonly #abort = (): void => this.#controller.abort();

  async #prepare(prepare: () => Promise<HttpRequest>): Promise<HttpRequest> {
    try {
      return await prepare();
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw this.#failure('the request cannot be made', { cause: error });
    }
  }

  /** Waits for a step, unless it takes too long or the signal is aborted: then it fails at once, whatever the step does. */
  async #limit<T>(step: Promise<T>): Promise<T> {
    const { transport, signal, key } = this.#context;
    const ended = this.#controller.signal;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const fail = (): void => reject(ended.reason);
        const cancelTimer = transport.clock.schedule(transport.timeoutMilliseconds, () => {
          this.#controller.abort(TIMED_OUT);
        });
        ended.addEventListener('abort', fail);
        stop = () => {
          cancelTimer();
          ended.removeEventListener('abort', fail);
        };
        step.then(resolve, reject);
      });
    } catch (error) {
      if (signal?.aborted === true) throw toAbortedError(signal, key);
      if (error instanceof StorageError) throw error;
      const message = ended.reason === TIMED_OUT ? 'the store does not answer' : 'the store cannot be reached';
      throw this.#failure(message, { cause: error, transient: true });
    } finally {
      stop?.();
    }
  }

  #failure(message: string, options: { readonly cause?: unknown; readonly transient?: boolean } = {}): StorageError {
    return new StorageError('UNAVAILABLE', message, { ...options, key: this.#context.key });
  }
}
