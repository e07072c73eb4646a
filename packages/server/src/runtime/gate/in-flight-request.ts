import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Requester } from '../audit/audit-log.js';
import type { AccessRecord, Outcome } from '../logger.js';
import type { RequestRoute } from '../request-route.js';
import type { ServerLimits } from '../server-limits.js';
import type { RequestSpan } from '../tracing/tracing.js';
import type { GatedResponse } from './gated-response.js';
import type { ShedReason } from './load.js';

/** The status that logs have for a request whose client disconnected before the response began. */
const CLIENT_GONE = 499;

/** The maximum number of visas of an audit record. */
const MAX_VISAS = 10;

export interface InFlightRequestOptions {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
}

/** The state of the measurement of a client's speed. */
interface ReadingWindow {
  /** Milliseconds for which bytes waited for the client. */
  readonly waited: number;
  /** The bytes that the client had taken at the start of the window. */
  readonly deliveredBefore: number;
  /** When `isSlow` was last called. */
  readonly seenAt: number;
}

/** A request whose response is not finished yet. It notices a slow client. */
export class InFlightRequest {
  readonly id: string;
  readonly method: string;
  readonly route: RequestRoute;
  /** The address of the client. */
  readonly client: string | undefined;
  readonly span: RequestSpan | undefined;
  readonly outgoing: GatedResponse;
  /** Whether the client has too many requests in flight. */
  isOverClientLimit = false;
  #requester: Requester | undefined;
  /** Why the request was refused with 503, or undefined if it was not. */
  shedReason: ShedReason | undefined;
  readonly #started = performance.now();
  #isAdmitted = false;
  #reading: ReadingWindow | undefined;
  #isCutOff = false;

  constructor(outgoing: GatedResponse, { id, method, route, client, span }: InFlightRequestOptions) {
    this.id = id;
    this.method = method;
    this.route = route;
    this.client = client;
    this.span = span;
    this.outgoing = outgoing;
  }

  get headers(): IncomingHttpHeaders {
    return this.outgoing.req.headers;
  }

  /** The bytes of the body that were written to the connection. */
  get bytes(): number {
    return this.outgoing.bodyBytes;
  }

  get status(): number {
    return this.outgoing.headersSent ? this.outgoing.statusCode : CLIENT_GONE;
  }

  /** How the request ended. */
  get outcome(): Outcome {
    if (this.shedReason !== undefined) return 'shed';
    if (this.outgoing.writableFinished) return 'complete';
    return this.#isCutOff ? 'slow' : 'aborted';
  }

  /** The requester, if an authorizer decided about the request. */
  get requester(): Requester | undefined {
    return this.#requester;
  }

  /** Keeps the requester for the audit record. Of several decisions about a request, the visas add up. */
  identify({ subject, visas }: Requester): void {
    const all = new Set([...(this.#requester?.visas ?? []), ...visas]);
    this.#requester = { subject, visas: [...all].slice(0, MAX_VISAS) };
  }

  /** Marks the request as passed to its handler. */
  admit(): void {
    this.#isAdmitted = true;
  }

  /**
   * Whether the server works on the request. It does not while the request arrives, and while the client has yet to read what
   * was written: then the producer of the response waits.
   */
  get isWorking(): boolean {
    const { writableEnded, writableNeedDrain } = this.outgoing;
    return this.#isAdmitted && !writableEnded && !writableNeedDrain;
  }

  /** Returns the record of the request for the access log. */
  toRecord(): AccessRecord {
    const { id: requestId, method, route, status, bytes, milliseconds, outcome, client, object, span } = this;
    return {
      requestId,
      method,
      route: route.template,
      status,
      bytes,
      milliseconds: Math.round(milliseconds * 10) / 10,
      outcome,
      client,
      object,
      ...(span !== undefined && { traceId: span.traceId }),
    };
  }

  /** Whether a part of the body was written and more is to follow. */
  get isStreaming(): boolean {
    return this.bytes > 0 && !this.outgoing.writableEnded;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** The time to the first byte of the body, or undefined if none was written. */
  get firstByteMilliseconds(): number | undefined {
    const { firstWritten } = this.outgoing;
    return firstWritten === undefined ? undefined : firstWritten - this.#started;
  }

  /** The requested object. For a block, it is known only after the signature of its token was verified. */
  get object(): string | undefined {
    const isUnverified = this.route.template === '/blocks/{token}' && this.status !== 200 && this.status !== 206;
    return isUnverified ? undefined : this.route.nameObject?.();
  }

  /**
   * Returns whether the client reads its response too slowly: less than `bytesPerSecond` on average over `stallSeconds`, in
   * which only the time counts that bytes waited for it. The state advances only when this is called, so it must be called at
   * short intervals. `now` is in milliseconds.
   */
  isSlow(now: number, { stallSeconds, bytesPerSecond }: ServerLimits): boolean {
    const { socket, writableLength } = this.outgoing;
    const delivered = this.bytes - writableLength;
    const { waited = 0, deliveredBefore = delivered, seenAt = now } = this.#reading ?? {};
    // Without a socket, the response waits for an earlier one on the same connection.
    const isWaiting = writableLength > 0 && socket !== null;
    const window = { waited: isWaiting ? waited + now - seenAt : waited, deliveredBefore, seenAt: now };
    const isComplete = window.waited >= stallSeconds * 1000;
    this.#reading = isComplete ? { waited: 0, deliveredBefore: delivered, seenAt: now } : window;
    return isComplete && delivered - deliveredBefore < bytesPerSecond * stallSeconds;
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
}

/** Counts the requests that the server works on. They are counted one by one only if there may be as many as `limit`. */
export function countWorking(admitted: ReadonlySet<InFlightRequest>, limit: number): number {
  return admitted.size < limit ? admitted.size : [...admitted].filter(({ isWorking }) => isWorking).length;
}

/** Returns the id that a request came with if it is safe in logs and headers, and a new one otherwise. */
export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:+/=-]{1,128}$/.test(header) ? header : randomUUID();
}
