import type { ByteSource, ObjectStore, ObjectStream, StoreOptions } from '@htskit/io';
import { checkContentSize, checkNotAborted, checkObjectKey } from '@htskit/io';
import { type MemoryObject, MemorySource } from './memory-source.js';

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

  async put(key: string, content: Uint8Array | ObjectStream, { signal }: StoreOptions = {}): Promise<void> {
    checkObjectKey(key);
    checkNotAborted(signal, key);
    const bytes = content instanceof Uint8Array ? content.slice() : await collect(content, key, signal);
    this.#putCount++;
    this.#objects.set(key, { bytes, version: String(this.#putCount) });
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
