import type { IncomingMessage } from 'node:http';

/** Most bytes of all bodies that are being received. Beyond them, requests are shed. */
export const MAX_RECEIVING_BYTES: number = 256 * 1024 * 1024;

/** The first size of a buffer, in bytes. It doubles, so that a client which sends single bytes costs no more than another. */
const FIRST_BYTES = 4096;

export interface ReceiveOptions {
  /** The most that a handler accepts. Of a longer body, the beginning is passed on, so that the handler refuses it. */
  readonly maxBytes: number;
  /** Called with each number of bytes that were received. Returns false to give up: neither callback is called then. */
  readonly onBytes: (byteLength: number) => boolean;
  /** Called when the body is complete or longer than `maxBytes`. */
  readonly onBody: (body: Uint8Array) => void;
}

/** Receives the body of a request. Calls nothing more if the client disconnects or Node's timeout ends the request. */
export function receiveBody(incoming: IncomingMessage, { maxBytes, onBytes, onBody }: ReceiveOptions): void {
  let buffer = new Uint8Array(FIRST_BYTES);
  let byteLength = 0;
  const stop = (): void => {
    incoming.off('data', onData).off('end', finish);
    incoming.resume();
  };
  const finish = (): void => {
    stop();
    onBody(buffer.subarray(0, byteLength));
  };
  const onData = (chunk: Uint8Array): void => {
    if (!onBytes(chunk.length)) {
      stop();
      return;
    }
    if (byteLength + chunk.length > buffer.length) {
      const larger = new Uint8Array(Math.max(2 * buffer.length, byteLength + chunk.length));
      larger.set(buffer.subarray(0, byteLength));
      buffer = larger;
    }
    buffer.set(chunk, byteLength);
    byteLength += chunk.length;
    if (byteLength > maxBytes) finish();
  };
  incoming.on('data', onData).once('end', finish);
}
