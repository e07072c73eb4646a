import type { ByteRange, ByteSource, ObjectStore } from '@htskit/io';

/** A store that records the calls that it passes on to another one. */
export interface CountingStore extends ObjectStore {
  /** Reads and streams, with their ranges. */
  readonly reads: { readonly key: string; readonly range: ByteRange }[];
  /** Prefixes of listings. */
  readonly lists: string[];
  readonly puts: string[];
  clear(): void;
}

export function countingStore(store: ObjectStore): CountingStore {
  const counting: CountingStore = {
    reads: [],
    lists: [],
    puts: [],
    clear() {
      counting.reads.length = 0;
      counting.lists.length = 0;
      counting.puts.length = 0;
    },
    source(key, options): ByteSource {
      const source = store.source(key, options);
      return {
        key: source.key,
        stat: (statOptions) => source.stat(statOptions),
        read(range, readOptions) {
          counting.reads.push({ key, range });
          return source.read(range, readOptions);
        },
        stream(range, readOptions) {
          counting.reads.push({ key, range });
          return source.stream(range, readOptions);
        },
      };
    },
    put(key, content, options) {
      counting.puts.push(key);
      return store.put(key, content, options);
    },
    list(prefix, options) {
      counting.lists.push(prefix);
      return store.list(prefix, options);
    },
    delete: (key, options) => store.delete(key, options),
  };
  return counting;
}

export async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys.sort();
}

/** Reads all bytes of an object. */
export async function bytesOf(store: ObjectStore, key: string): Promise<Uint8Array> {
  const source = store.source(key);
  return source.read({ start: 0, end: (await source.stat()).size });
}
