import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { IncomingBody } from './incoming-body.js';
import { ORIGIN } from './request-target.js';
import { RequestView } from './request-view.js';

/** Where the parts of a request come from that the framework in between may have changed. */
export interface RequestSource {
  /** Path and query, relative to the mount point. */
  readonly path: string;
  /** The body: the message itself, a stream in its place, or what a body parser has left. Undefined if there is none. */
  readonly body?: Readable | Uint8Array | string | undefined;
  /** Replaces the headers of the message. */
  readonly headers?: Headers;
}

/** The `Request` of one message that arrived at a Node server. */
export class IncomingRequest extends RequestView {
  readonly url: string;
  readonly method: string;
  readonly #incoming: IncomingMessage;
  readonly #source: RequestSource;
  #headers: Headers | undefined;
  #controller: AbortController | undefined;
  #native: Request | undefined;
  #incomingBody: IncomingBody | undefined;
  #isDisconnected = false;

  constructor(incoming: IncomingMessage, source: RequestSource) {
    super();
    this.url = ORIGIN + source.path;
    this.method = incoming.method ?? 'GET';
    this.#incoming = incoming;
    this.#source = source;
    this.#headers = source.headers;
  }

  get headers(): Headers {
    // Node gives a list for Set-Cookie only, which has no meaning in a request.
    this.#headers ??= new Headers(this.#incoming.headers as Record<string, string>);
    return this.#headers;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isDisconnected) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#source.body === undefined ? null : this.native().body;
  }

  /** Aborts the signal: nobody waits for the response any more. */
  disconnect(): void {
    this.#isDisconnected = true;
    this.#controller?.abort();
  }

  /** Ends the exchange for a body that the handler has not read to its end. */
  abandonBody(): void {
    this.#incomingBody?.abandon();
  }

  protected override native(): Request {
    this.#native ??= new Request(this.url, this.#init());
    return this.#native;
  }

  #init(): RequestInit & { duplex: 'half' } {
    const { method, headers, signal } = this;
    const { body } = this.#source;
    if (body === undefined) return { method, headers, signal, duplex: 'half' };
    if (body instanceof Readable) {
      this.#incomingBody = new IncomingBody(body);
      return { method, headers, signal, body: this.#incomingBody.stream, duplex: 'half' };
    }
    return { method, headers, signal, body: body as BodyInit, duplex: 'half' };
  }
}

/** Whether a message has a body for a `Request`; the Fetch standard gives none to GET and HEAD (Request, step 35). */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
