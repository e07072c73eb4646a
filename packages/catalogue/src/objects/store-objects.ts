import type { Locate } from '@htskit/htsget';
import { type ByteSource, type ObjectStore, StorageError } from '@htskit/io';
import { BlockCache } from '@htskit/storage/cache';
import { type StoredObject, toStored } from '../locations/stored-object.js';
import { keyedObjects } from './keyed-objects.js';
import type { Decrypt, ObjectCatalogue } from './object-catalogue.js';

export interface StoreObjectsOptions {
  /** Serves only the keys that begin with the prefix and a slash. Ids do not include it. Default: all keys. */
  readonly prefix?: string;
  /**
   * Returns how clients fetch the file of a key from the store itself, such as by presigned URLs. Default: the handler sends the
   * data.
   */
  readonly locate?: (key: string) => Locate;
  /** Seconds for which the size and version of a file are cached; 0 to request them for each ticket. Default 5. */
  readonly statSeconds?: number;
  /** Caches blocks of the files; may be shared. Default: a new cache of 64 MiB. */
  readonly cache?: BlockCache;
  /** Decrypts files such as `a.bam.c4gh`. Clients never fetch them from the store. Default: they are not served. */
  readonly decrypt?: Decrypt;
}

/**
 * Serves the htsget objects of any object store, such as a bucket that is bound to a Cloudflare Worker. Ids, indexes and changes are
 * those of `bucketObjects`, which also guards against a bucket that does not respond.
 *
 * @example
 * const { resolve } = storeObjects(r2ObjectStore(env.BUCKET), { prefix: 'alignments' });
 * const handler = createHtsgetHandler({ publicUrl: 'https://data.example.org/htsget', resolve });
 */
export function storeObjects(store: ObjectStore, options: StoreObjectsOptions = {}): ObjectCatalogue {
  const { prefix = '', locate, statSeconds, cache = new BlockCache(), decrypt } = options;
  const start = prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`;
  const open = (key: string, data?: ByteSource): StoredObject | undefined => {
    const source = sourceOf(store, start + key);
    return source && toStored(source, key, { cache, statSeconds, data });
  };
  return keyedObjects({
    open: (key) => {
      const stored = open(key);
      return stored && { ...stored, locate: locate?.(start + key) };
    },
    openIndex: (key, { source }) => open(key, source),
    keys: () => relativeKeys(store, start),
    decrypt,
  });
}

/** Returns the source of a key, or undefined if the store cannot hold the key. */
function sourceOf(store: ObjectStore, key: string): ByteSource | undefined {
  try {
    return store.source(key);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'INVALID_KEY') return undefined;
    throw error;
  }
}

async function* relativeKeys(store: ObjectStore, start: string): AsyncGenerator<string, void> {
  for await (const key of store.list(start)) yield key.slice(start.length);
}
