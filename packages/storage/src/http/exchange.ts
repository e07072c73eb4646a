import { parseRetryAfter } from '@htskit/http';
import { checkNotAborted, onAbort, StorageError, type StorageErrorOptions, toAbortedError } from '@htskit/io';
import { fromHttpStatus } from '../http-status.js';
import { drain, fetchFollowing, type HttpRequest } from './redirects.js';
import { MAX_TIMER_MILLISECONDS, type Transport } from './transport.js';

export interface ExchangeContext {
  readonly transport: Transport;
  /** Of the source. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
}

/** What a refusal is, by its status and body. */
export type ReadRefusal = (status: number, text: string, options: StorageErrorOptions) => StorageError;

/** Of the body of a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** Of a request, that are sent within one time limit. */
const BYTES_PER_LIMIT = 1024 * 1024;
/** What ends a step that takes too long. */
const TIMED_OUT = new Error('timed out');

/**
 * One request and its answer, which has a time limit at each step. All failures are StorageErrors. It holds a connection
 * until the body has been read, or `end` or `discard` is called.
 */
export class Exchange {
  readonly #context: ExchangeContext;
  readonly #controller = new AbortController();
  #stopListening = (): void => undefined;
  #answer: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  private constructor(context: ExchangeContext) {
    this.#context = context;
  }

  /** What `prepare` gives, unless that takes too long or the signal is aborted. */
  static async prepare<T>(prepare: () => Promise<T>, context: ExchangeContext): Promise<T> {
    const exchange = new Exchange(context);
    try {
      return await exchange.#begin(prepare);
    } finally {
      exchange.end();
    }
  }

  /** Sends what `prepare` gives. Gives any answer, whatever its status. */
  static async start(prepare: () => Promise<HttpRequest>, context: ExchangeContext): Promise<Exchange> {
    const exchange = new Exchange(context);
    try {
      const request = await exchange.#begin(prepare);
      exchange.#checkHeaders(request);
      const { signal } = exchange.#controller;
      const sent = fetchFollowing(context.transport.fetch, request, signal);
      const limitCount = Math.max(1, Math.ceil((request.body?.length ?? 0) / BYTES_PER_LIMIT));
      exchange.#answer = await exchange.#limit(sent, limitCount);
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

  /** The failure that an answer with this status is. Its body is not of use any more: `read` tells what was in it. */
  async refusal(read: ReadRefusal = readStatus): Promise<StorageError> {
    const { key, transport } = this.#context;
    const retryAfterMilliseconds = parseRetryAfter(this.header('retry-after'), transport.clock.now());
    const text = await this.text(MAX_REFUSAL_BYTES).catch(() => '');
    this.end();
    return read(this.status, text, { key, retryAfterMilliseconds });
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
    this.#stopListening();
    if (this.#answer === undefined || this.#reader !== undefined) this.#controller.abort();
  }

  async #begin<T>(prepare: () => Promise<T>): Promise<T> {
    const { signal, key } = this.#context;
    checkNotAborted(signal, key);
    this.#stopListening = onAbort(signal, () => this.#controller.abort());
    return this.#limit(this.#prepare(prepare));
  }

  /** `fetch` would quote the header, which may be a secret. */
  #checkHeaders({ headers, ownHeaders }: HttpRequest): void {
    try {
      new Headers({ ...headers, ...ownHeaders });
    } catch {
      throw this.#failure('a header of the request is none');
    }
  }

  async #prepare<T>(prepare: () => Promise<T>): Promise<T> {
    try {
      return await prepare();
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw this.#failure('the request cannot be made', { cause: error });
    }
  }

  /** Waits for a step, unless it takes too long or the signal is aborted: then it fails at once, whatever the step does. */
  async #limit<T>(step: Promise<T>, limitCount = 1): Promise<T> {
    const { transport, signal, key } = this.#context;
    const ended = this.#controller.signal;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const fail = (): void => reject(ended.reason);
        if (ended.aborted) fail();
        const milliseconds = Math.min(transport.timeoutMilliseconds * limitCount, MAX_TIMER_MILLISECONDS);
        const cancelTimer = transport.clock.schedule(milliseconds, () => this.#controller.abort(TIMED_OUT));
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
      throw this.#failure(message, { cause: error, isTransient: true });
    } finally {
      stop?.();
    }
  }

  #failure(message: string, options: { readonly cause?: unknown; readonly isTransient?: boolean } = {}): StorageError {
    return new StorageError('UNAVAILABLE', message, { ...options, key: this.#context.key });
  }
}

function readStatus(status: number, _text: string, options: StorageErrorOptions): StorageError {
  return fromHttpStatus(status, options);
}
