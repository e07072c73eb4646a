import type { ByteRange, ByteSource, ReadOptions, SourceStat } from './byte-source.js';
import { concatBytes } from './bytes.js';
import { onAbort } from './on-abort.js';
import { toAbortedError } from './storage-error.js';

/**
 * Recommended size of one chunk in bytes. Reading a cached file through Node's thread pool takes 65 µs for 64 KiB, 105 µs
 * for 256 KiB and 270 µs for 1 MiB: larger chunks gain little, and every open stream holds one.
 */
export const CHUNK_BYTES: number = 256 * 1024;

export interface ByteStreamOptions {
  /** Errors the stream when it is aborted. */
  readonly signal?: AbortSignal;
  /** The key of the object that is read: if given, aborting the signal errors the stream with `StorageError` ABORTED. */
  readonly key?: string;
  /**
   * Called when the stream is cancelled or aborted, before the generator is returned. Returning a generator waits for the
   * chunk that it is reading; this hook can interrupt that read.
   */
  readonly onCancel?: (reason: unknown) => void;
}

interface PendingChunks extends ByteStreamOptions {
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  /** The result that was already taken from the generator. */
  readonly first?: IteratorResult<Uint8Array, void>;
  readonly onError?: (error: unknown) => void;
}

/**
 * Turns a generator of chunks into a stream that pulls a chunk when its consumer does. The generator is returned, so that
 * its `finally` blocks run, when the stream is cancelled or the signal aborted.
 */
export function toByteStream(
  chunks: AsyncGenerator<Uint8Array, void>,
  options: ByteStreamOptions = {},
): ReadableStream<Uint8Array> {
  return createByteStream({ ...options, chunks });
}

/**
 * Waits for the first chunk and then returns the stream, so that an early failure rejects and can still be answered with an
 * error response. A later failure errors the stream after `onError` was called, unless the stream was cancelled before.
 */
export async function startByteStream(
  chunks: AsyncGenerator<Uint8Array, void>,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  return createByteStream({ chunks, first: await chunks.next(), onError });
}

function createByteStream(options: PendingChunks): ReadableStream<Uint8Array> {
  const { chunks, signal, key, onCancel, onError } = options;
  let { first } = options;
  let isCancelled = false;
  let stopListening = (): void => undefined;
  const cancel = (reason: unknown): Promise<unknown> => {
    isCancelled = true;
    stopListening();
    onCancel?.(reason);
    return chunks.return();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (signal === undefined) return;
        stopListening = onAbort(signal, (reason) => {
          controller.error(key === undefined ? reason : toAbortedError(signal, key));
          cancel(reason).catch(() => undefined);
        });
      },
      async pull(controller) {
        try {
          const { done, value } = first ?? (await chunks.next());
          first = undefined;
          if (isCancelled) return;
          if (done !== true) return controller.enqueue(value);
          stopListening();
          controller.close();
        } catch (error) {
          stopListening();
          if (!isCancelled) onError?.(error);
          throw error;
        }
      },
      async cancel(reason) {
        await cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Iterates over the chunks of a stream and cancels it as soon as the caller stops. Not every runtime can iterate over a
 * `ReadableStream` itself.
 */
export async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Has no effect on a stream that has ended. A failing cancellation does not concern a caller who stopped early.
    await reader.cancel().catch(() => undefined);
  }
}

/** Yields the bytes of a range, of chunks that begin at `start`. */
export async function* sliceChunks(
  chunks: AsyncIterable<Uint8Array>,
  range: ByteRange,
  start = 0,
): AsyncGenerator<Uint8Array, void> {
  let at = start;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, range.start - at), Math.max(0, range.end - at));
    if (part.length > 0) yield part;
    at += chunk.length;
    if (at >= range.end) return;
  }
}

/** Returns the joined chunks, or undefined, without reading any further, if they have more than `maxBytes`. */
export async function collectChunks(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of chunks) {
    byteLength += chunk.length;
    if (byteLength > maxBytes) return undefined;
    parts.push(chunk);
  }
  return concatBytes(parts);
}

/** Sizes of the reads of `readFromStart`. Most headers fit into the first one. */
const FIRST_READ_BYTES = 65536;
const MAX_READ_BYTES = 2 ** 22;

/**
 * Reads a source from its start in growing parts, as long as the consumer continues: for a header of unknown length. Throws what
 * the source throws.
 */
export async function* readFromStart(
  source: Pick<ByteSource, 'read'>,
  { size, version, signal }: SourceStat & ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  let byteLength = FIRST_READ_BYTES;
  for (let start = 0; start < size; byteLength = Math.min(4 * byteLength, MAX_READ_BYTES)) {
    const end = Math.min(start + byteLength, size);
    yield await source.read({ start, end }, { version, signal });
    start = end;
  }
}
