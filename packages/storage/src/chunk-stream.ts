import { onAbort } from '@htskit/protocol';
import { toAbortedError } from './storage-error.js';

/**
 * Bytes of one chunk. Reading a cached file by way of Node's thread pool takes 65 µs for 64 KiB, 105 µs for 256 KiB and
 * 270 µs for 1 MiB: larger chunks gain little, and every open stream holds one.
 */
export const CHUNK_BYTES: number = 256 * 1024;

export interface ChunkStreamOptions {
  readonly signal: AbortSignal | undefined;
  /** Of the source. */
  readonly key: string;
  /** Called before the generator is ended, which waits until a chunk that it is about to read is there. */
  readonly onCancel?: () => void;
}

/**
 * A stream that asks the generator for a chunk when the consumer asks for one. The generator is ended when the stream
 * is cancelled or `signal` is aborted, so that its `finally` can free what it holds.
 */
export function toChunkStream(
  chunks: AsyncGenerator<Uint8Array, void>,
  { signal, key, onCancel }: ChunkStreamOptions,
): ReadableStream<Uint8Array> {
  let stopListening = (): void => undefined;
  const underlyingSource: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      if (signal === undefined) return;
      const abort = (): void => {
        stopListening();
        controller.error(toAbortedError(signal, key));
        onCancel?.();
        void chunks.return();
      };
      if (signal.aborted) abort();
      else stopListening = onAbort(signal, abort);
    },
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done !== true) return controller.enqueue(value);
        stopListening();
        controller.close();
      } catch (error) {
        stopListening();
        throw error;
      }
    },
    async cancel() {
      stopListening();
      onCancel?.();
      await chunks.return();
    },
  };
  return new ReadableStream(underlyingSource, { highWaterMark: 0 });
}
