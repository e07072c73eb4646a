import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkNotAborted, checkRange, clipRange, StorageError, toByteStream } from '@htskit/io';

export interface MemorySourceOptions {
  /** Default: a new key for each source. */
  readonly key?: string;
  /** Default: none, so that `stat` returns none. */
  readonly version?: string;
}

export interface MemoryObject {
  readonly bytes: Uint8Array;
  readonly version: string | undefined;
}

let sourceCount = 0;

/**
 * Returns a source of bytes in memory, which are not copied.
 *
 * @example
 * const source = memorySource(new Uint8Array(await file.arrayBuffer()));
 */
export function memorySource(bytes: Uint8Array, { key, version }: MemorySourceOptions = {}): ByteSource {
  sourceCount++;
  return new MemorySource(key ?? `memory:${sourceCount}`, () => ({ bytes, version }));
}

/** Reads the current state of an object in memory. */
export class MemorySource implements ByteSource {
  readonly key: string;
  /** Returns the current object, or undefined if there is none. */
  readonly #find: () => MemoryObject | undefined;

  constructor(key: string, find: () => MemoryObject | undefined) {
    this.key = key;
    this.#find = find;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    checkNotAborted(signal, this.key);
    const { bytes, version } = this.#current();
    return { size: bytes.length, ...(version !== undefined && { version }) };
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    return this.#select(range, options).slice();
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    return toByteStream(this.#chunks(range, options), { signal: options.signal, key: this.key });
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    const bytes = this.#select(range, options);
    for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) yield bytes.slice(offset, offset + CHUNK_BYTES);
  }

  /** Returns a view of the bytes of a range. */
  #select(range: ByteRange, options: ReadOptions): Uint8Array {
    checkRange(range, this.key);
    checkNotAborted(options.signal, this.key);
    const { bytes, version } = this.#current();
    if (options.version !== undefined && options.version !== version) {
      throw new StorageError('CHANGED', 'the object has another version than requested', { key: this.key });
    }
    const { start, end } = clipRange(range, bytes.length);
    return bytes.subarray(start, end);
  }

  #current(): MemoryObject {
    const object = this.#find();
    if (object === undefined) throw new StorageError('NOT_FOUND', 'there is no such object', { key: this.key });
    return object;
  }
}
