import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';
import type { RequestRoute } from '../request-route.js';
import type { ServerLimits } from '../server-limits.js';
import type { RequestSpan } from '../tracing/tracing.js';

/** The status that logs have for a request whose client disconnected before the response began. */
const CLIENT_GONE = 499;

export interface InFlightRequestOptions {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
}

/** A request whose response is not finished yet. It counts the bytes that are written and notices a slow client. */
export class InFlightRequest {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  /** The address of the client. */
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
  readonly outgoing: ServerResponse;
  readonly #started = performance.now();
  #firstWritten: number | undefined;
  #bytes = 0;
  /** The bytes that the client had taken when `isSlow` last saw progress, and when that was. */
  #delivered = Number.NEGATIVE_INFINITY;
  #waitingSince = 0;
  #isCutOff = false;

  constructor(outgoing: ServerResponse, { id, method, route, client, span }: InFlightRequestOptions) {
    this.id = id;
    this.method = method;
    this.route = route;
    this.client = client;
    this.span = span;
    this.outgoing = outgoing;
    this.#countWrites();
  }

  /** The bytes of the body that were written to the connection. */
  get bytes(): number {
    return this.#bytes;
  }

  get status(): number {
    return this.outgoing.headersSent ? this.outgoing.statusCode : CLIENT_GONE;
  }

  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Whether a part of the body was written and more is to follow. */
  get isStreaming(): boolean {
    return this.#bytes > 0 && !this.outgoing.writableEnded;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** The time to the first byte of the body, or undefined if none was written. */
  get firstByteMilliseconds(): number | undefined {
    return this.#firstWritten === undefined ? undefined : this.#firstWritten - this.#started;
  }

  /** The requested object. For a block, it is known only after the signature of its token was verified. */
  get object(): string | undefined {
    const isUnverified = this.route.template === '/blocks/{token}' && this.status !== 200 && this.status !== 206;
    return isUnverified ? undefined : this.route.nameObject?.();
  }

  /**
   * Returns whether the client takes its response too slowly: some bytes have waited longer than the limits allow for that
   * many. The state advances only when this is called, so it must be called at short intervals. `now` is in milliseconds.
   */
  isSlow(now: number, { stallSeconds, bytesPerSecond }: ServerLimits): boolean {
    const { socket, writableLength } = this.outgoing;
    const delivered = this.#bytes - writableLength;
    // Without a socket, the response waits for an earlier one on the same connection.
    if (writableLength === 0 || socket === null || delivered > this.#delivered) {
      this.#delivered = delivered;
      this.#waitingSince = now;
      return false;
    }
    return now - this.#waitingSince > (stallSeconds + writableLength / bytesPerSecond) * 1000;
  }

  /** Resets the connection, so that the kernel drops the bytes that it still buffers for the client. */
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
    // Node drops the body of a response to HEAD.
    if (this.method === 'HEAD') return;
    if (typeof chunk === 'string') this.#bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) this.#bytes += chunk.byteLength;
  }
}

/** Returns the id that a request came with if it is safe in logs and headers, and a new one otherwise. */
export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:+/=-]{1,128}$/.test(header) ? header : randomUUID();
}

/**
 * Returns the address of a client. A client can begin X-Forwarded-For with anything, so only the addresses that the trusted
 * proxies appended count: the last ones, one for each proxy.
 */
export function clientAddress(incoming: IncomingMessage, trustedProxies: number): string | undefined {
  const { remoteAddress } = incoming.socket;
  if (trustedProxies === 0) return remoteAddress;
  const address = proxyAddress(incoming, (_, hop) => hop < trustedProxies);
  return isIP(address) === 0 ? remoteAddress : address;
}
