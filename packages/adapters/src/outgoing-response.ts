import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { PlainResponse } from '@htskit/http';
import { isHeaders } from '@htskit/http/internal';
import { AdapterError } from './adapter-error.js';

type Body = PlainResponse['body'];

/** Header names in lower case. Only Set-Cookie has several values. */
type Head = Record<string, string | string[]>;

/**
 * Bytes up to which a body is sent as text: Node writes the head and a string with one system call, and without the buffers of
 * `writev`.
 */
const MAX_TEXT_BYTES = 16_384;

/** The headers that are added to those of middleware. All others replace them. */
const JOINED_HEADERS = ['set-cookie', 'vary'];

/**
 * Writes a response and resolves when it was passed to the socket or the client has disconnected. Rejects if the body fails
 * or its length differs from its Content-Length. Before the first chunk, nothing has been sent then; later, the connection
 * is destroyed and the client sees a truncated response.
 */
export function sendResponse(response: PlainResponse, outgoing: ServerResponse): Promise<void> | undefined {
  const { status, body, onSent } = response;
  // Middleware that has replaced `write` may keep chunks.
  if (onSent !== undefined && !Object.hasOwn(outgoing, 'write')) onResponseClosed(outgoing, onSent);
  const head = toHead(response, outgoing);
  if (outgoing.req.method === 'HEAD' || status === 204 || status === 304) {
    if (status !== 204 && isStatic(body) && body !== null) setLength(head, body);
    outgoing.writeHead(status, head).end();
    discardBody(body);
    return undefined;
  }
  if (!isStatic(body)) {
    return new OutgoingStream({ body, length: declaredLength(head), outgoing }).send(() => {
      outgoing.writeHead(status, head);
    });
  }
  setLength(head, body ?? '');
  outgoing.writeHead(status, head);
  if (body instanceof Uint8Array && body.byteLength <= MAX_TEXT_BYTES) outgoing.end(toLatin1(body), 'latin1');
  else outgoing.end(body ?? undefined);
  return undefined;
}

/** Returns text whose characters are the bytes. */
function toLatin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Sends an error status without a body, unless a response has been started already or the client has disconnected. */
export function sendStatus(outgoing: ServerResponse, status: 400 | 404 | 500): void {
  if (!outgoing.headersSent && !isClosed(outgoing)) outgoing.writeHead(status, { 'content-length': '0' }).end();
}

/** Cancels a body that will not be sent and ignores a failing cancellation. */
export function discardBody(body: Body): void {
  if (!isStatic(body)) body.cancel().catch(() => undefined);
}

function isStatic(body: Body): body is Uint8Array | string | null {
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
}

function toHead({ status, headers }: PlainResponse, outgoing: ServerResponse): Head {
  const head: Head = isHeaders(headers) ? toRecord(headers) : { ...headers };
  // Node chooses the framing (RFC 9112 §6.1), and a 204 has no length (RFC 9110 §8.6).
  if (head['transfer-encoding'] !== undefined) delete head['transfer-encoding'];
  if (status === 204) delete head['content-length'];
  for (const name of JOINED_HEADERS) {
    const present = outgoing.getHeader(name);
    if (present !== undefined && head[name] !== undefined) head[name] = [present, head[name]].flat().map(String);
  }
  return head;
}

function toRecord(headers: Headers): Head {
  const head: Head = Object.fromEntries(headers);
  // Not all classes of Headers have `getSetCookie`.
  if (head['set-cookie'] !== undefined) {
    head['set-cookie'] = [...headers].flatMap(([name, value]) => (name === 'set-cookie' ? [value] : []));
  }
  return head;
}

/** Returns the Content-Length in bytes, or undefined if the head has none. */
function declaredLength(head: Head): number | undefined {
  const declared = head['content-length'];
  if (declared === undefined) return undefined;
  if (typeof declared === 'string' && /^\d{1,15}$/.test(declared)) return Number(declared);
  throw new AdapterError(
    'INVALID_LENGTH',
    `invalid response: Content-Length "${String(declared)}" is not a decimal number`,
  );
}

function setLength(head: Head, body: Uint8Array | string): void {
  const length = Buffer.byteLength(body);
  const declared = declaredLength(head);
  if (declared !== undefined && declared !== length) throw toLengthError(declared, `${length} bytes`);
  head['content-length'] = String(length);
}

function toLengthError(declared: number | undefined, found: string): AdapterError {
  return new AdapterError(
    'LENGTH_MISMATCH',
    `invalid response: Content-Length is ${declared}, but the body has ${found}`,
  );
}

interface OutgoingStreamOptions {
  readonly body: ReadableStream<Uint8Array>;
  /** Content-Length in bytes, if the response declares one. */
  readonly length: number | undefined;
  readonly outgoing: ServerResponse;
}

/** Sends a streamed body as fast as the client reads it. Cancels the body if the response is closed before its end. */
class OutgoingStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #length: number | undefined;
  readonly #outgoing: ServerResponse;
  #byteCount = 0;
  #isStarted = false;
  #resume: (() => void) | undefined;

  constructor({ body, length, outgoing }: OutgoingStreamOptions) {
    this.#reader = body.getReader();
    this.#length = length;
    this.#outgoing = outgoing;
    outgoing.on('drain', () => this.#resume?.());
    onResponseClosed(outgoing, () => {
      this.#reader.cancel().catch(() => undefined);
      this.#resume?.();
    });
  }

  /** Calls `writeHead` once the first chunk is read, so that a body that fails at once can still become an error status. */
  async send(writeHead: () => void): Promise<void> {
    try {
      await this.#copy(() => {
        if (this.#isStarted) return;
        writeHead();
        this.#isStarted = true;
      });
    } catch (error) {
      if (this.#isStarted) truncate(this.#outgoing, this.#isDelimitedByClose());
      throw error;
    }
  }

  async #copy(start: () => void): Promise<void> {
    let last: Uint8Array | undefined;
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (isClosed(this.#outgoing)) return;
      if (done) break;
      if (value.byteLength === 0) continue;
      this.#byteCount += value.byteLength;
      if (this.#length !== undefined && this.#byteCount > this.#length) throw this.#lengthError('more');
      // The client considers the response complete after these bytes, so they are held until the stream has ended well.
      if (this.#byteCount === this.#length) {
        last = value;
        continue;
      }
      start();
      if (!this.#outgoing.write(value)) await this.#drained();
    }
    if (this.#length !== undefined && this.#byteCount !== this.#length)
      throw this.#lengthError(`${this.#byteCount} bytes`);
    start();
    this.#outgoing.end(last);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #isDelimitedByClose(): boolean {
    return this.#length === undefined && !this.#outgoing.chunkedEncoding;
  }

  #lengthError(found: string): AdapterError {
    return toLengthError(this.#length, found);
  }
}

/** Whether nothing more can be written because the client disconnected or middleware ended the response (by a timeout, say). */
export function isClosed(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded || outgoing.destroyed || outgoing.req.socket.destroyed;
}

/**
 * Calls `listener` once, when the response is complete or its connection has closed.
 *
 * The `close` event of a response is not enough: a pipelined response has no socket until the responses before it are sent,
 * and emits no event if the connection closes earlier.
 */
export function onResponseClosed(outgoing: ServerResponse, listener: () => void): void {
  const closing = closings.get(outgoing);
  if (closing === undefined) closings.set(outgoing, watchClose(outgoing, listener));
  else closing.push(listener);
}

/** The listeners of each response share one event listener: each further one of Node costs three times as much as a call. */
const closings = new WeakMap<ServerResponse, (() => void)[]>();

function watchClose(outgoing: ServerResponse, first: () => void): (() => void)[] {
  const listeners = [first];
  const close = (): void => {
    for (const listener of listeners.splice(0)) listener();
  };
  outgoing.on('close', close);
  if (outgoing.socket !== null) return listeners;
  const queued = queuedListeners(outgoing.req.socket);
  queued.add(close);
  outgoing.on('close', () => queued.delete(close));
  return listeners;
}

const queuedBySocket = new WeakMap<Socket, Set<() => void>>();

/** The listeners of a socket's queued responses. They share one event listener, because Node warns about more than ten. */
function queuedListeners(socket: Socket): Set<() => void> {
  const existing = queuedBySocket.get(socket);
  if (existing !== undefined) return existing;
  const queued = new Set<() => void>();
  queuedBySocket.set(socket, queued);
  socket.once('close', () => {
    for (const listener of queued) listener();
  });
  return queued;
}

/** Destroys the connection so that the client cannot mistake a partial body for a complete one. */
function truncate(outgoing: ServerResponse, isDelimitedByClose: boolean): void {
  // If the end of the connection is the end of the body (RFC 9112 §6.3, rule 8), only a reset reveals the truncation.
  if (isDelimitedByClose) {
    try {
      outgoing.socket?.resetAndDestroy();
      return;
    } catch {
      // TLS connections and pipes cannot be reset. A TLS client notices that close_notify is missing.
    }
  }
  outgoing.destroy();
}
