import {
  type ByteRange,
  type ByteSource,
  CHUNK_BYTES,
  checkContentSize,
  checkNotAborted,
  checkObjectKey,
  checkRange,
  clipRange,
  type ObjectStore,
  type ObjectStream,
  type PutOptions,
  type ReadOptions,
  type SourceStat,
  type StatOptions,
  StorageError,
  type StoreOptions,
  toByteStream,
} from '@htskit/io';
import { checkReplaced } from '@htskit/io/internal';

export interface MemorySourceOptions {
  /** Default: a new key for each source. */
  readonly key?: string;
  /** Default: none, so that `stat` returns none. */
  readonly version?: string;
}

interface MemoryObject {
  readonly bytes: Uint8Array;
  readonly version: string | undefined;
  readonly origin?: string | undefined;
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
class MemorySource implements ByteSource {
  readonly key: string;
  /** Returns the current object, or undefined if there is none. */
  readonly #find: () => MemoryObject | undefined;

  constructor(key: string, find: () => MemoryObject | undefined) {
    this.key = key;
    this.#find = find;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    checkNotAborted(signal, this.key);
    const { bytes, version, origin } = this.#current();
    return { size: bytes.length, version, ...(origin !== undefined && { origin }) };
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

let storeCount = 0;

/**
 * Returns an empty store in memory.
 *
 * @example
 * const store = memoryStore();
 * await store.put('sequences/some-digest', bytes);
 */
export function memoryStore(): ObjectStore {
  return new MemoryStore();
}

class MemoryStore implements ObjectStore {
  readonly #name: string;
  readonly #objects = new Map<string, MemoryObject>();
  #putCount = 0;

  constructor() {
    storeCount++;
    this.#name = `memory-store:${storeCount}`;
  }

  source(key: string): ByteSource {
    checkObjectKey(key);
    return new MemorySource(`${this.#name}/${key}`, () => this.#objects.get(key));
  }

  async put(
    key: string,
    content: Uint8Array | ObjectStream,
    { signal, replaces, origin }: PutOptions = {},
  ): Promise<void> {
    checkObjectKey(key);
    checkNotAborted(signal, key);
    const bytes = content instanceof Uint8Array ? content.slice() : await collect(content, key, signal);
    checkReplaced(this.#objects.get(key), replaces, key);
    this.#putCount++;
    this.#objects.set(key, { bytes, version: String(this.#putCount), origin });
  }

  async *list(prefix: string, { signal }: StoreOptions = {}): AsyncGenerator<string, void> {
    for (const key of [...this.#objects.keys()]) {
      checkNotAborted(signal, prefix);
      if (key.startsWith(prefix)) yield key;
    }
  }

  async delete(key: string, { signal }: StoreOptions = {}): Promise<void> {
    checkObjectKey(key);
    checkNotAborted(signal, key);
    this.#objects.delete(key);
  }
}

async function collect(content: ObjectStream, key: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const bytes = new Uint8Array(content.size);
  let length = 0;
  for await (const chunk of content.chunks) {
    checkNotAborted(signal, key);
    if (length + chunk.length <= bytes.length) bytes.set(chunk, length);
    length += chunk.length;
  }
  checkContentSize(length, content, key);
  return bytes;
}
