import type { ByteRange } from '@htskit/protocol';
import type { ByteSource, ReadOptions, SourceStat, StatOptions } from './byte-source.js';
import { CHUNK_BYTES, toChunkStream } from './chunk-stream.js';
import { checkRange, clipRange } from './clip-range.js';
import { checkNotAborted, StorageError } from './storage-error.js';

export interface MemorySourceOptions {
  /** Default: a new one for every source. */
  readonly key?: string;
  /** Default: none, so that `stat` gives none. */
  readonly version?: string;
}

let sourceCount = 0;

/** A source over bytes in memory, which it keeps without copying them. */
export function memorySource(bytes: Uint8Array, options: MemorySourceOptions = {}): ByteSource {
  return new MemorySource(bytes, options);
}

class MemorySource implements ByteSource {
  readonly key: string;
  readonly #bytes: Uint8Array;
  readonly #version: string | undefined;

  constructor(bytes: Uint8Array, { key, version }: MemorySourceOptions) {
    sourceCount++;
    this.key = key ?? `memory:${sourceCount}`;
    this.#bytes = bytes;
    this.#version = version;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    checkNotAborted(signal, this.key);
    return { size: this.#bytes.length, ...(this.#version !== undefined && { version: this.#version }) };
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const { start, end } = this.#check(range, options);
    return this.#bytes.slice(start, end);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    return toChunkStream(this.#chunks(range, options), { signal: options.signal, key: this.key });
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    const { start, end } = this.#check(range, options);
    for (let at = start; at < end; at += CHUNK_BYTES) yield this.#bytes.slice(at, Math.min(at + CHUNK_BYTES, end));
  }

  #check(range: ByteRange, { signal, version }: ReadOptions): ByteRange {
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    if (version !== undefined && version !== this.#version) {
      throw new StorageError('CHANGED', 'the bytes are of another version', { key: this.key });
    }
    return clipRange(range, this.#bytes.length);
  }
}
