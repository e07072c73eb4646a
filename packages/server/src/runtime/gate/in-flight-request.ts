import type { ServerResponse } from 'node:http';
import type { ServerLimits } from '../server-limits.js';
import type { RequestRoute } from '../request-route.js';
import type { RequestSpan } from '../tracing/tracing.js';

/** Status of a request whose client had gone before anything was sent. */
const CLIENT_GONE = 499;

export interface ExchangeOptions {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
}

/** A request, and its answer on the way to the client. Nothing of it is kept. */
export class Exchange {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
  readonly outgoing: ServerResponse;
  readonly #started = performance.now();
  #firstWritten: number | undefined;
  #bytes = 0;
  /** Bytes that the client has taken, and since when it has taken no more. */
  #delivered = Number.NEGATIVE_INFINITY;
  #waitingSince = 0;
  #isCutOff = false;

  constructor(outgoing: ServerResponse, { id, method, route, client, span }: ExchangeOptions) {
    this.id = id;
    this.method = method;
    this.route = route;
    this.client = client;
    this.span = span;
    this.outgoing = outgoing;
    this.#countWrites();
  }

  /** Of the body, handed to the connection. */
  get bytes(): number {
    return this.#bytes;
  }

  get status(): number {
    return this.outgoing.headersSent ? this.outgoing.statusCode : CLIENT_GONE;
  }

  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Whether a part of the body is sent, and a part is to come. */
  get isStreaming(): boolean {
    return this.#bytes > 0 && !this.outgoing.writableEnded;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** Until the first bytes of the body; undefined for a client that went before. */
  get firstByteMilliseconds(): number | undefined {
    return this.#firstWritten === undefined ? undefined : this.#firstWritten - this.#started;
  }

  /** What was asked for; of a block, only once its token was found to be genuine. */
  get object(): string | undefined {
    const isUnverified = this.route.template === '/blocks/{token}' && this.status !== 200 && this.status !== 206;
    return isUnverified ? undefined : this.route.nameObject?.();
  }

  /**
   * Whether the client takes its answer too slowly: some bytes have been waiting for it longer than its limits allow for
   * that many. To be asked again and again, since what waits is looked at only then. `now` is in milliseconds.
   */
  isSlow(now: number, { stallSeconds, bytesPerSecond }: ServerLimits): boolean {
    const { socket, writableLength } = this.outgoing;
    const delivered = this.#bytes - writableLength;
    // Without a socket, the answer waits for one before it on the same connection.
    if (writableLength === 0 || socket === null || delivered > this.#delivered) {
      this.#delivered = delivered;
      this.#waitingSince = now;
      return false;
    }
    return now - this.#waitingSince > (stallSeconds + writableLength / bytesPerSecond) * 1000;
  }

  /** Breaks the connection. What the kernel still holds for the client is dropped, too. */
  cutOff(): void {
    const { socket } = this.outgoing.req;
    this.#isCutOff = true;
    try {
      socket.resetAndDestroy();
    } catch {
      // TLS connections cannot be reset.
      socket.destroy();
    }
  }

  #countWrites(): void {
    const { outgoing } = this;
    const write = outgoing.write.bind(outgoing) as (...parameters: unknown[]) => boolean;
    const end = outgoing.end.bind(outgoing) as (...parameters: unknown[]) => ServerResponse;
    outgoing.write = (...parameters: unknown[]) => {
      this.#count(parameters[0]);
      return write(...parameters);
    };
    outgoing.end = (...parameters: unknown[]) => {
      this.#count(parameters[0]);
      return end(...parameters);
    };
  }

  #count(chunk: unknown): void {
    this.#firstWritten ??= performance.now();
    // Node drops the body of an answer to HEAD.
    if (this.method === 'HEAD') return;
    if (typeof chunk === 'string') this.#bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) this.#bytes += chunk.byteLength;
  }
}
