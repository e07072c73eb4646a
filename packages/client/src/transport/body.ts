import { onAbort } from '@htskit/io';
import { concat } from './concat.js';
import type { Transport } from './transport.js';

/**
 * The chunks of a body, none of them empty. Throws NETWORK where the connection breaks, STALLED where nothing comes,
 * and the reason of the signal. The body is cancelled as soon as the caller stops.
 */
export async function* readBody(response: Response, transport: Transport): AsyncGenerator<Uint8Array, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let failure: { readonly reason: unknown } | undefined;
  // A cancelled reader settles at once, also where its source never does.
  const cancel = (reason: unknown): void => {
    failure ??= { reason };
    reader.cancel().catch(() => undefined);
  };
  const watch = new StallWatch(transport, cancel);
  const unlink = onAbort(transport.signal, cancel);
  try {
    for (;;) {
      watch.begin();
      const { done, value } = await reader.read();
      watch.end();
      if (failure !== undefined) throw failure.reason;
      if (done) return;
      if (value.length > 0) yield value;
    }
  } catch (cause) {
    if (failure !== undefined) throw failure.reason;
    throw transport.createError('NETWORK', 'the connection broke off', { isTransient: true, cause });
  } finally {
    unlink();
    watch.stop();
    reader.cancel().catch(() => undefined);
  }
}

/** One timer for all reads of a body: one for each would cost more than the read. */
class StallWatch {
  readonly #transport: Transport;
  readonly #onStall: (reason: unknown) => void;
  readonly #timer = new AbortController();
  #reads = 0;
  #isReading = false;

  constructor(transport: Transport, onStall: (reason: unknown) => void) {
    this.#transport = transport;
    this.#onStall = onStall;
    void this.#run();
  }

  begin(): void {
    this.#reads++;
    this.#isReading = true;
  }

  end(): void {
    this.#isReading = false;
  }

  stop(): void {
    this.#timer.abort();
  }

  async #run(): Promise<void> {
    const { sleep, stallMilliseconds, createError } = this.#transport;
    for (;;) {
      const before = this.#reads;
      await sleep(stallMilliseconds, this.#timer.signal).catch(() => undefined);
      if (this.#timer.signal.aborted) return;
      if (!this.#isReading || this.#reads !== before) continue;
      return this.#onStall(createError('STALLED', 'the connection gives no more bytes', { isTransient: true }));
    }
  }
}

/** A body of at most so many bytes. Throws TOO_LARGE beyond, and TRUNCATED for one that is shorter than announced. */
export async function readBytes(response: Response, limit: number, transport: Transport): Promise<Uint8Array> {
  const announced = announcedLength(response);
  const tooLarge = (): Error => transport.createError('TOO_LARGE', `the answer has more than ${limit} bytes`);
  if (announced !== undefined && announced > limit) {
    response.body?.cancel().catch(() => undefined);
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readBody(response, transport)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) throw tooLarge();
  }
  if (announced !== undefined && announced !== length) throw lengthError(transport, announced, length);
  return concat(chunks);
}

export function lengthError(transport: Transport, announced: number, received: number): Error {
  const message = `${announced} bytes were announced, ${received} were received`;
  return received < announced
    ? transport.createError('TRUNCATED', message, { isTransient: true })
    : transport.createError('INVALID_RESPONSE', message);
}

/** Bytes that the body is to have; undefined where nothing tells, as for a body that was decoded on its way. */
export function announcedLength({ headers }: Response): number | undefined {
  const text = headers.get('content-length');
  return text !== null && /^\d{1,15}$/.test(text) && !isEncoded(headers) ? Number(text) : undefined;
}

/** Whether the bytes are others than those on the wire, so that lengths and ranges do not apply. */
export function isEncoded(headers: Headers): boolean {
  return (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity';
}
