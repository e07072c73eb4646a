import { finished, type Readable } from 'node:stream';
import { AdapterError } from './adapter-error.js';

/**
 * The body of a request, read as a web stream. No byte is taken from the socket before a read asks for it. A client that
 * goes away is an error of the stream. Unlike with `Readable.toWeb`, cancelling leaves the socket alone: the response
 * still has to go out on it.
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

  /** Fails further reads, and lets the rest of the body run out, so that the connection can carry the next request. */
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
      controller.error(new AdapterError('BODY_INTERRUPTED', 'The exchange ended before the body of the request'));
    };
  }
}

/** A plain view of the bytes: `slice` of a Buffer does not copy, which portable code would not expect. */
function toBytes(chunk: Uint8Array | string): Uint8Array {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
