import type { ByteRange, ByteSource, ObjectStore, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import type { StoreGuard } from './store-guard.js';

/**
 * Returns a source whose callers count towards the limit of a guard while they wait for a stat, a read or the first chunk of a
 * stream. It belongs around caches, so that callers who wait for one shared request are counted as well.
 */
export function guardedSource(source: ByteSource, guard: StoreGuard): ByteSource {
  return new GuardedSource(source, guard);
}

/** Returns a store whose sources are guarded. */
export function guardedStore(store: ObjectStore, guard: StoreGuard): ObjectStore {
  return {
    source: (key, options) => guardedSource(store.source(key, options), guard),
    put: (key, content, options) => store.put(key, content, options),
    list: (prefix, options) => store.list(prefix, options),
    delete: (key, options) => store.delete(key, options),
  };
}

class GuardedSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #guard: StoreGuard;

  constructor(source: ByteSource, guard: StoreGuard) {
    this.key = source.key;
    this.#source = source;
    this.#guard = guard;
  }

  stat(options?: StatOptions): Promise<SourceStat> {
    return this.#guard.wait(() => this.#source.stat(options));
  }

  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array> {
    return this.#guard.wait(() => this.#source.read(range, options));
  }

  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array> {
    const reader = this.#source.stream(range, options).getReader();
    const read = (): ReturnType<typeof reader.read> => reader.read();
    let isFirst = true;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await (isFirst ? this.#guard.wait(read) : read());
          isFirst = false;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }
}
