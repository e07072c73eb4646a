import type { BgzfSource, SourceOptions } from '../src/index.js';
import { joinBytes } from './build-block.js';

/** A source in memory that notes what was asked of it. */
export interface MemorySource extends BgzfSource {
  readonly requests: { kind: 'read' | 'stream'; start: number; end: number; options: SourceOptions | undefined }[];
  /** Streams that were cancelled. */
  readonly cancelled: number;
  /** Chunks that were pulled from streams. */
  readonly pulled: number;
}

export function memorySource(bytes: Uint8Array, { chunkSize = 65536 }: { chunkSize?: number } = {}): MemorySource {
  const requests: MemorySource['requests'] = [];
  let [cancelled, pulled] = [0, 0];
  return {
    requests,
    get cancelled() {
      return cancelled;
    },
    get pulled() {
      return pulled;
    },
    read({ start, end }, options) {
      requests.push({ kind: 'read', start, end, options });
      return Promise.resolve(bytes.slice(start, end));
    },
    stream({ start, end }, options) {
      requests.push({ kind: 'stream', start, end, options });
      const limit = Math.min(end, bytes.length);
      let at = start;
      return new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (at >= limit) return controller.close();
            pulled += 1;
            const next = Math.min(limit, at + chunkSize);
            controller.enqueue(bytes.slice(at, next));
            at = next;
          },
          cancel() {
            cancelled += 1;
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return joinBytes(await toArray(chunks));
}

export async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

/** The bytes in chunks of the given sizes, over and over. */
export async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

/** A stream of the chunks. */
export function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
