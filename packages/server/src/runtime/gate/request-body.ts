import type { IncomingMessage } from 'node:http';
import { onResponseClosed } from '@htskit/adapters/internal';
import { ClientCounts } from './client-address.js';
import type { InFlightRequest } from './in-flight-request.js';

export interface BudgetedOptions extends Pick<ReceiveOptions, 'maxBytes' | 'onBody'> {
  /** Called in place of `onBody` if the client holds more than its share. */
  readonly onRefused: () => void;
}

/** The maximum number of bytes of all bodies that are being received. */
const MAX_RECEIVING_BYTES = 256 * 1024 * 1024;

/**
 * Counts the bytes of the bodies that are being received. A client may hold as many bytes as are free, so that some are always left
 * for others: one client gets half of the budget, and each of three a quarter.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #clients = new ClientCounts();
  #bytes = 0;

  constructor(maxBytes: number = MAX_RECEIVING_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Receives the body of a request until its response is closed, or until its client holds more than its share. */
  receive({ outgoing, client }: Pick<InFlightRequest, 'outgoing' | 'client'>, options: BudgetedOptions): void {
    let received = 0;
    onResponseClosed(outgoing, () => {
      this.#bytes -= received;
      this.#clients.remove(client, received);
    });
    receiveBody(outgoing.req, {
      ...options,
      onBytes: (byteLength) => {
        received += byteLength;
        this.#bytes += byteLength;
        if (this.#clients.add(client, byteLength) <= this.#maxBytes - this.#bytes) return true;
        options.onRefused();
        return false;
      },
    });
  }
}

/** Returns whether a handler reads the body of a request. DRS names objects in the body of OPTIONS. */
export function readsBody({ method, route }: Pick<InFlightRequest, 'method' | 'route'>): boolean {
  return method === 'POST' || method === 'QUERY' || (method === 'OPTIONS' && route.owner === 'drs');
}

/** The first size of a buffer, in bytes. It doubles, so that a client which sends single bytes costs no more than another. */
const FIRST_BYTES = 4096;

interface ReceiveOptions {
  /** The maximum number of bytes that a handler accepts. Of a longer body, the beginning is passed on, so that the handler refuses it. */
  readonly maxBytes: number;
  /** Called with each number of bytes that were received. Returns false to give up: neither callback is called then. */
  readonly onBytes: (byteLength: number) => boolean;
  /** Called when the body is complete or longer than `maxBytes`. */
  readonly onBody: (body: Uint8Array) => void;
}

/** Receives the body of a request. Calls nothing more if the client disconnects or Node's timeout ends the request. */
function receiveBody(incoming: IncomingMessage, { maxBytes, onBytes, onBody }: ReceiveOptions): void {
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
