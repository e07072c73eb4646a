import {
  type ByteSource,
  checkNotAborted,
  checkRange,
  type ReadOptions,
  StorageError,
  toByteStream,
  toOwned,
} from '@htskit/io';
import { KeptChunks } from '@htskit/testing';
import type { InflatedSpan } from '../src/index.js';

/** A source in memory that records its requests. */
export interface MemorySource extends ByteSource {
  readonly requests: { kind: 'read' | 'stream'; start: number; end: number; options: ReadOptions | undefined }[];
  /** Streams that were cancelled before their end. */
  readonly cancelled: number;
  /** Chunks that were pulled from streams. */
  readonly pulled: number;
  /** Bytes that were read or pulled. */
  readonly bytesRead: number;
  /** Replaces the object by one of another version. */
  replace(bytes: Uint8Array): void;
}

let sourceCount = 0;

export function memorySource(
  initial: Uint8Array,
  { chunkSize = 65536, hasVersions = false }: { chunkSize?: number; hasVersions?: boolean } = {},
): MemorySource {
  const key = `memory:${sourceCount++}`;
  const requests: MemorySource['requests'] = [];
  const counts = { cancelled: 0, pulled: 0, bytesRead: 0, replaced: 0 };
  let bytes = initial;
  const currentVersion = (): string => `version ${counts.replaced}`;
  const check = ({ signal, version }: ReadOptions): void => {
    checkNotAborted(signal, key);
    if (hasVersions && version !== undefined && version !== currentVersion()) {
      throw new StorageError('CHANGED', 'the object was replaced', { key });
    }
  };
  const take = (start: number, end: number): Uint8Array => {
    const part = bytes.slice(start, end);
    counts.bytesRead += part.length;
    return part;
  };

  async function* chunks(start: number, end: number, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    checkRange({ start, end }, key);
    let hasEnded = false;
    try {
      for (let at = start; at < Math.min(end, bytes.length); at += chunkSize) {
        check(options);
        counts.pulled += 1;
        yield take(at, Math.min(end, at + chunkSize));
      }
      hasEnded = true;
    } finally {
      if (!hasEnded) counts.cancelled += 1;
    }
  }

  return {
    key,
    requests,
    get cancelled() {
      return counts.cancelled;
    },
    get pulled() {
      return counts.pulled;
    },
    get bytesRead() {
      return counts.bytesRead;
    },
    replace(replacement) {
      bytes = replacement;
      counts.replaced += 1;
    },
    async stat(options = {}) {
      check(options);
      return { size: bytes.length, ...(hasVersions && { version: currentVersion() }) };
    },
    async read({ start, end }, options) {
      requests.push({ kind: 'read', start, end, options });
      checkRange({ start, end }, key);
      check(options ?? {});
      return take(start, end);
    },
    stream({ start, end }, options) {
      requests.push({ kind: 'stream', start, end, options });
      return toByteStream(chunks(start, end, options ?? {}), { signal: options?.signal, key });
    },
  };
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept = new KeptChunks();
  for await (const chunk of chunks) kept.add(chunk);
  return new Uint8Array(kept.bytes());
}

/** A span that may be kept. */
export interface OwnedSpan extends InflatedSpan {
  readonly data: Uint8Array;
}

/** Copies the spans of an iteration, each before the next one is requested. */
export async function copySpans(spans: AsyncIterable<InflatedSpan>): Promise<OwnedSpan[]> {
  const copies: OwnedSpan[] = [];
  for await (const span of spans) copies.push({ ...span, data: toOwned(span.data) });
  return copies;
}

export async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

/** Yields the bytes in chunks of the given sizes, which repeat. */
export async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

/** Converts chunks to a stream. */
export function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
