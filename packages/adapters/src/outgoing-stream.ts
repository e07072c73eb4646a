import type { ServerResponse } from 'node:http';
import { AdapterError } from './adapter-error.js';
import { isOver, truncate, whenClosed } from './connection.js';

/** A streamed body and the response that it goes to. */
export interface OutgoingStreamOptions {
  readonly body: ReadableStream<Uint8Array>;
  /** Content-Length in bytes, if the response declares one. */
  readonly length: number | undefined;
  readonly outgoing: ServerResponse;
}

/** Sends a body as fast as the client takes it. The body is cancelled if the response is over before its end. */
export class OutgoingStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #length: number | undefined;
  readonly #outgoing: ServerResponse;
  #byteCount = 0;
  #isStarted = false;
  #wake: (() => void) | undefined;

  constructor({ body, length, outgoing }: OutgoingStreamOptions) {
    this.#reader = body.getReader();
    this.#length = length;
    this.#outgoing = outgoing;
    outgoing.on('drain', () => this.#wake?.());
    whenClosed(outgoing, () => {
      this.#reader.cancel().catch(() => undefined);
      this.#wake?.();
    });
  }

  /** Calls `writeHead` when the first chunk is there, so that a body that fails at once can still become an error status. */
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
      if (isOver(this.#outgoing)) return;
      if (done) break;
      if (value.byteLength === 0) continue;
      this.#byteCount += value.byteLength;
      if (this.#length !== undefined && this.#byteCount > this.#length) throw this.#lengthError();
      // The client takes the response for complete with these bytes, so they wait until the stream has ended well.
      if (this.#byteCount === this.#length) {
        last = value;
        continue;
      }
      start();
      if (!this.#outgoing.write(value)) await this.#drained();
    }
    if (this.#length !== undefined && this.#byteCount !== this.#length) throw this.#lengthError();
    start();
    this.#outgoing.end(last);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #isDelimitedByClose(): boolean {
    return this.#length === undefined && !this.#outgoing.chunkedEncoding;
  }

  #lengthError(): AdapterError {
    const found = `The body has ${this.#byteCount} bytes or more, its Content-Length says ${this.#length}`;
    return new AdapterError('LENGTH_MISMATCH', found);
  }
}
