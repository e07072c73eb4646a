import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { PlainResponse } from '@htskit/http';
import { AdapterError } from './adapter-error.js';
import { type Handler, RequestView } from './handler.js';
import { HeadersView } from './headers-view.js';
import { discardBody, isClosed, onResponseClosed, sendResponse, sendStatus } from './outgoing-response.js';
import { ORIGIN } from './request-target.js';

/** The message pair of one exchange on a Node server, and the parts of the request that the framework may have changed. */
interface NodeExchange extends RequestSource {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Calls the handler and sends its response. An error of the handler or of the body is passed to `onError`, and answered with
 * 500 if nothing was sent yet.
 */
export function answerExchange(
  handler: Handler,
  { onError, ...exchange }: NodeExchange & { readonly onError: (error: unknown) => void },
): void {
  const { outgoing } = exchange;
  answer(handler, exchange).catch((error: unknown) => {
    sendStatus(outgoing, 500);
    onError(error);
  });
}

async function answer(handler: Handler, exchange: NodeExchange): Promise<void> {
  const response = await callHandler(handler, exchange);
  if (response !== undefined) await sendResponse(response, exchange.outgoing);
}

/**
 * Calls the handler and returns its response, or undefined if the exchange has ended in the meantime. Rejects if the handler
 * throws, unless the exchange has ended.
 */
export async function callHandler(handler: Handler, exchange: NodeExchange): Promise<PlainResponse | undefined> {
  const { incoming, outgoing } = exchange;
  const request = new IncomingRequest(incoming, exchange);
  onResponseClosed(outgoing, () => {
    if (!outgoing.writableFinished) request.disconnect();
    request.abandonBody();
  });
  try {
    const response = await handler(request.toRequest());
    if (!isClosed(outgoing)) return response;
    discardBody(response.body);
  } catch (error) {
    // A handler that rejects because its signal was aborted has not failed.
    if (!isClosed(outgoing)) throw error;
  }
  return undefined;
}

/** The parts of a request that a framework may have changed. */
export interface RequestSource {
  /** Path and query, relative to the mount point. */
  readonly path: string;
  /** The body: the message, a stream that replaces it, or the result of a body parser. Undefined if there is no body. */
  readonly body?: Readable | Uint8Array | string;
  /** Replaces the headers of the message. */
  readonly headers?: Headers;
}

/** The `Request` of a message that a Node server received. */
class IncomingRequest extends RequestView {
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
    this.#headers ??= new HeadersView(this.#incoming.headers).toHeaders();
    return this.#headers;
  }

  /** Created lazily: an AbortSignal costs about 9 µs. */
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

  /** Aborts the signal, because the client no longer waits for the response. */
  disconnect(): void {
    this.#isDisconnected = true;
    this.#controller?.abort();
  }

  /** Fails further reads of the body and discards the rest of it. */
  abandonBody(): void {
    this.#incomingBody?.abandon();
  }

  protected override native(): Request {
    this.#native ??= new Request(this.url, this.#init());
    return this.#native;
  }

  #init(): RequestInit & { duplex: 'half' } {
    const { method, signal } = this;
    const headers = new Headers(this.headers);
    const { body } = this.#source;
    if (body === undefined) return { method, headers, signal, duplex: 'half' };
    if (body instanceof Readable) {
      this.#incomingBody = new IncomingBody(body);
      return { method, headers, signal, body: this.#incomingBody.stream, duplex: 'half' };
    }
    return { method, headers, signal, body: body as BodyInit, duplex: 'half' };
  }
}

/** Whether the `Request` of a message has a body. The Fetch standard allows none for GET and HEAD (Request, step 35). */
export function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body of a request as a web stream. Bytes are taken from the socket only when they are read, and a client that
 * disconnects errors the stream. Unlike `Readable.toWeb`, cancelling does not destroy the socket, which still has to send
 * the response.
 */
export class IncomingBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #readable: Readable;
  #interrupt: (() => void) | undefined;

  constructor(readable: Readable) {
    this.#readable = readable;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => this.#attach(controller),
        pull: () => {
          readable.resume();
        },
        cancel: () => this.abandon(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Fails further reads and discards the rest of the body, so that the next request can use the connection. */
  abandon(): void {
    this.#interrupt?.();
    this.#readable.resume();
  }

  #attach(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const readable = this.#readable;
    const onData = (chunk: Uint8Array | string): void => {
      readable.pause();
      controller.enqueue(toBytes(chunk));
    };
    const cleanUp = finished(readable, { writable: false }, (error) => {
      if (error) controller.error(error);
      else controller.close();
    });
    readable.pause();
    readable.on('data', onData);
    this.#interrupt = () => {
      cleanUp();
      readable.off('data', onData);
      controller.error(new AdapterError('BODY_INTERRUPTED', 'the exchange ended before the request body was read'));
    };
  }
}

/** Returns a plain view of the bytes: `slice` of a Buffer does not copy, which portable code would not expect. */
function toBytes(chunk: Uint8Array | string): Uint8Array {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
