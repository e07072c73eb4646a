import { collectChunks, onAbort, startTimer } from '@htskit/io/internal';
import { parseContentRange } from '../headers/range.js';
import type { Transport } from './transport.js';

/** Bytes of an unneeded body that are read so that its connection can be reused. */
const MAX_DISCARD_BYTES = 64 * 1024;

/**
 * Yields the chunks of a body, none of them empty. The body is cancelled as soon as the caller stops. Fails with NETWORK,
 * STALLED, the reason of the signal, and, if `length` is given, TRUNCATED or INVALID_RESPONSE for a body of another length.
 * A stall is noticed after one to two time limits. The time that the caller takes between two chunks does not count.
 *
 * @example
 * for await (const chunk of readBody(response, transport)) hash.update(chunk);
 */
export async function* readBody(
  response: Response,
  transport: Transport,
  length?: number,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  // One generator does it all: each that only passes chunks on takes several microseconds.
  const body = response.body === null ? undefined : new WatchedReader(response.body, transport);
  try {
    for (;;) {
      const chunk = await body?.read();
      if (chunk === undefined) break;
      received += chunk.length;
      if (received > (length ?? received)) throw toLengthError(transport, length, received);
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    body?.close();
  }
  if (received < (length ?? received)) throw toLengthError(transport, length, received);
}

/** Reads a body until it ends, stalls, or the signal of the transport is aborted. */
class WatchedReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #transport: Transport;
  readonly #stopListening: () => void;
  #stopTimer: () => void = () => undefined;
  #failure: { readonly reason: unknown } | undefined;
  #readCount = 0;
  #isReading = false;

  constructor(stream: ReadableStream<Uint8Array>, transport: Transport) {
    this.#reader = stream.getReader();
    this.#transport = transport;
    this.#startTimer();
    this.#stopListening = onAbort(transport.signal, (reason) => this.#fail(reason));
  }

  /** Returns the next chunk, which may be empty, or undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    this.#readCount++;
    this.#isReading = true;
    try {
      const { value } = await this.#reader.read();
      if (this.#failure === undefined) return value;
    } catch (cause) {
      if (this.#failure === undefined) {
        const message = 'the connection broke';
        throw this.#transport.createError({ code: 'NETWORK', message, isTransient: true, cause });
      }
    } finally {
      this.#isReading = false;
    }
    throw this.#failure.reason;
  }

  close(): void {
    this.#stopTimer();
    this.#stopListening();
    this.#reader.cancel().catch(() => undefined);
  }

  /** A cancelled reader settles at once, even if its source never does. */
  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#reader.cancel().catch(() => undefined);
  }

  /** One timer watches all reads: a timer for each would cost more than the read. */
  #startTimer(): void {
    const { stallMilliseconds, createError } = this.#transport;
    const readCount = this.#readCount;
    this.#stopTimer = startTimer(this.#transport, stallMilliseconds, () => {
      if (!this.#isReading || this.#readCount !== readCount) return this.#startTimer();
      this.#fail(createError({ code: 'STALLED', message: 'the server stopped sending', isTransient: true }));
    });
  }
}

/**
 * Returns a body of at most `limit` bytes. Fails like `readBody`, with TOO_LARGE for more bytes, and with TRUNCATED for
 * fewer than `Content-Length` declares.
 *
 * @example
 * const text = new TextDecoder().decode(await readBytes(response, 16 * 1024 * 1024, transport));
 */
export async function readBytes(response: Response, limit: number, transport: Transport): Promise<Uint8Array> {
  const length = contentLength(response.headers);
  const tooLarge = (): Error =>
    transport.createError({ code: 'TOO_LARGE', message: `the response has more than ${limit} bytes` });
  if (length !== undefined && length > limit) {
    cancelBody(response);
    throw tooLarge();
  }
  const bytes = await collectChunks(readBody(response, transport, length), limit);
  if (bytes === undefined) throw tooLarge();
  return bytes;
}

/** Reads a short body to its end so that its connection can be reused, and cancels a longer one. Never fails. */
export async function discardBody(response: Response, transport: Transport): Promise<void> {
  if ((contentLength(response.headers) ?? 0) > MAX_DISCARD_BYTES) return cancelBody(response);
  let received = 0;
  try {
    for await (const chunk of readBody(response, transport)) {
      received += chunk.length;
      if (received > MAX_DISCARD_BYTES) return;
    }
  } catch {
    // The body is not needed, and an aborted signal fails the next step.
  }
}

/**
 * Cancels an unread body, which closes its connection. A body that is being read is left to its reader: cancelling a locked stream
 * rejects, which costs 40 µs.
 */
export function cancelBody({ body }: Response): void {
  if (body?.locked === false) body.cancel().catch(() => undefined);
}

/** Returns the declared length of a body in bytes, or undefined if it is unknown or the body is decoded by `fetch`. */
export function contentLength(headers: Headers): number | undefined {
  const text = headers.get('content-length');
  return text !== null && /^\d{1,15}$/.test(text) && !isEncoded(headers) ? Number(text) : undefined;
}

/** Returns whether `fetch` decodes the body, so that lengths and ranges do not apply to its bytes (RFC 9110 §8.4). */
export function isEncoded(headers: Headers): boolean {
  const encoding = headers.get('content-encoding') ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

/** The part of a resource in a 206 response, as its headers declare it. */
export interface PartialContent {
  /** Undefined without a `Content-Range`, which browsers hide unless the server exposes it. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Bytes of the whole resource, or undefined if unknown. */
  readonly size: number | undefined;
  /** Bytes of the body, or undefined if unknown. */
  readonly length: number | undefined;
}

/** Parses the headers of a 206 response. Fails with INVALID_RESPONSE if they contradict each other or are malformed. */
export function parsePartialContent({ headers }: Response, { createError }: Transport): PartialContent {
  const invalid = (message: string): Error => createError({ code: 'INVALID_RESPONSE', message });
  if (isEncoded(headers))
    throw invalid(
      'a partial response has a Content-Encoding, so its bytes are not those of the file; serve it without',
    );
  const header = headers.get('content-range');
  const { range, size } = parseContentRange(header ?? '') ?? {};
  if (header !== null && range === undefined) throw invalid('a partial response has an invalid Content-Range');
  const declared = contentLength(headers);
  const length = range === undefined ? declared : range.end - range.start;
  if (declared !== undefined && declared !== length) {
    throw invalid(`the Content-Range has ${length} bytes, but the Content-Length is ${declared}`);
  }
  return { start: range?.start, end: range?.end, size, length };
}

function toLengthError({ createError }: Transport, length: number | undefined, received: number): Error {
  const isShort = received < (length ?? 0);
  const message = `expected ${length} bytes, found ${isShort ? received : 'more'}`;
  return createError(
    isShort ? { code: 'TRUNCATED', message, isTransient: true } : { code: 'INVALID_RESPONSE', message },
  );
}
