import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type ByteSource, StorageError, toByteStream } from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import { describeError } from '../../errors.js';

/** A version of a source that another thread reads, and the port to it. It can be posted with the port in the list of transfers. */
export interface OfferedSource {
  readonly key: string;
  readonly size: number;
  readonly version: string | undefined;
  readonly port: MessagePort;
}

/** A request for bytes [start, end). */
interface PortRequest {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

interface PortResponse {
  readonly id: number;
  /** Undefined if the read failed. */
  readonly bytes?: Uint8Array;
  readonly message?: string;
}

/** Bytes of a piece of a stream. Reads as long bypass the caches of remote files. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Offers a version of a source to another thread, until the port is closed. */
export async function offerSource(source: ByteSource, version: string | undefined): Promise<OfferedSource> {
  const { size } = await source.stat();
  const { port1, port2 } = new MessageChannel();
  port1.on('message', ({ id, ...range }: PortRequest) => {
    source.read(range, { version }).then(
      (read) => {
        // A view would be posted with all the memory that it is a part of.
        const bytes = read.slice();
        port1.postMessage({ id, bytes } satisfies PortResponse, [bytes.buffer]);
      },
      (error: unknown) => port1.postMessage({ id, message: describeError(error) } satisfies PortResponse),
    );
  });
  port1.unref();
  return { key: source.key, size, version, port: port2 };
}

/** Returns the source that another thread offers. Its close ends the port. */
export function portSource({ key, size, version, port }: OfferedSource): ByteSource {
  const pending = new Map<number, (response: PortResponse) => void>();
  let last = 0;
  port.on('message', (response: PortResponse) => {
    pending.get(response.id)?.(response);
    pending.delete(response.id);
  });
  const read: ByteSource['read'] = async (range, { signal } = {}) => {
    const id = ++last;
    const request: PortRequest = { id, start: range.start, end: Math.min(range.end, size) };
    const response = new Promise<PortResponse>((resolve) => pending.set(id, resolve));
    port.postMessage(request);
    const { bytes, message } = await unlessAborted(response, signal, key);
    if (bytes !== undefined) return bytes;
    throw new StorageError('UNAVAILABLE', message ?? 'the source cannot be read', { key });
  };
  async function* pieces(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const readPiece = (at: number): Promise<Uint8Array> => {
      const piece = read({ start: at, end: Math.min(at + PIECE_BYTES, end) }, { ...(signal && { signal }) });
      // The stream may end before the piece is taken.
      piece.catch(() => undefined);
      return piece;
    };
    let next = readPiece(start);
    for (let at = start; at < end; at += PIECE_BYTES) {
      const piece = await next;
      if (at + PIECE_BYTES < end) next = readPiece(at + PIECE_BYTES);
      yield piece;
    }
  }
  return {
    key,
    stat: async () => (version === undefined ? { size } : { size, version }),
    read,
    stream: ({ start, end }, { signal } = {}) =>
      toByteStream(pieces(start, Math.min(end, size), signal), { key, ...(signal && { signal }) }),
    close: async () => port.close(),
  };
}
