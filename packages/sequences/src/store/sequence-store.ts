import type { ObjectStore } from '@htskit/io';
import type { CollectionSource } from '../collection/collection-source.js';
import { type Sequence, type SequenceCatalogue, toSequence } from '../sequence.js';
import { runBytes } from './object/exception-runs.js';
import { SequenceObject } from './object/sequence-object.js';
import { findDigests, readFacts, readMarker, type SequenceFacts } from './store-entries.js';
import { AUTHORITIES_PREFIX } from './store-layout.js';
import { StoredCollections } from './stored-collections.js';

export interface OpenSequenceStoreOptions {
  /**
   * Approximate bytes of open sequences to keep in memory. Each takes at least 64 KiB, and at most 256 are kept open. Default
   * 64 MiB.
   */
  readonly cacheBytes?: number;
  /** Milliseconds for which the aliases of an open sequence and the list of collections are cached. Default 60,000. */
  readonly aliasMilliseconds?: number;
}

/** The sequences of a store. */
export interface SequenceStore extends SequenceCatalogue {
  /** The naming authorities that had aliases in the store when it was opened. */
  readonly namingAuthorities: readonly string[];
  /** The collections of the FASTA files that were imported. */
  readonly collections: CollectionSource;
  find(identifier: Parameters<SequenceCatalogue['find']>[0]): Promise<readonly Sequence[]>;
  /** Closes the cached objects. The store can still be used. */
  close(): Promise<void>;
}

/**
 * Opens a store that `importFasta` wrote. Reads no sequence: finding one takes one read by sha512t24u or TRUNC512, two by MD5,
 * and a listing and a read by alias. Its aliases take a listing in parallel with the read.
 *
 * Throws SequenceStoreError NOT_A_STORE and UNSUPPORTED_VERSION, and StorageError; `find` also throws CORRUPT.
 *
 * @example
 * const store = await openSequenceStore(folderStore('sequences'));
 * const [sequence] = await store.find({ kind: 'md5', digest: 'c68f52674c9fb33aef52dcf399755519' });
 */
export async function openSequenceStore(
  store: ObjectStore,
  { cacheBytes = 2 ** 26, aliasMilliseconds = 60_000 }: OpenSequenceStoreOptions = {},
): Promise<SequenceStore> {
  await readMarker(store);
  const namingAuthorities: string[] = [];
  for await (const key of store.list(AUTHORITIES_PREFIX)) namingAuthorities.push(key.slice(AUTHORITIES_PREFIX.length));
  const cache = new ObjectCache(store, { cacheBytes, factsMilliseconds: aliasMilliseconds });
  return {
    namingAuthorities: namingAuthorities.sort(),
    collections: new StoredCollections(store, { listMilliseconds: aliasMilliseconds }),
    async find(identifier) {
      const open = identifier.kind === 'md5' ? cache.openTrunc512(identifier.digest) : undefined;
      const digests = open === undefined ? await findDigests(store, identifier) : [open];
      const found = await Promise.all(digests.map((trunc512) => cache.get(trunc512)));
      return found
        .filter((known) => known !== undefined)
        .map(({ object, facts }) => toSequence({ ...object.header.digests, ...facts }, object));
    },
    close: () => cache.close(),
  };
}

/** An open object and the facts about its sequence. */
interface KnownSequence {
  readonly object: SequenceObject;
  readonly facts: SequenceFacts;
}

interface CacheEntry {
  readonly object: Promise<SequenceObject | undefined>;
  facts: Promise<SequenceFacts>;
  /** When the facts were read, by `performance.now()`. */
  factsReadAt: number;
  /** 0 until the object is open. */
  bytes: number;
  /** Empty until the object is open. */
  md5: string;
}

interface ObjectCacheOptions {
  readonly cacheBytes: number;
  readonly factsMilliseconds: number;
}

/** Estimated bytes of an open object without its runs. */
const OBJECT_BYTES = 65_536;

/** Each open object can hold a file descriptor, and most processes may open 1,024. */
const MAX_OBJECTS = 256;

/**
 * Keeps the most recently used sequences open. Not an `LruCache` of @htskit/io, because it is bounded both in bytes and in
 * objects, must close the objects that it evicts, and refreshes the facts of an entry while its object stays open.
 */
class ObjectCache {
  readonly #store: ObjectStore;
  readonly #options: ObjectCacheOptions;
  /** By TRUNC512, the least recently used first. */
  readonly #entries = new Map<string, CacheEntry>();
  /** TRUNC512 of the open objects by MD5. */
  readonly #openByMd5 = new Map<string, string>();
  #bytes = 0;

  constructor(store: ObjectStore, options: ObjectCacheOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Returns the TRUNC512 of an open sequence. Reading it from the store takes longer than a short slice. */
  openTrunc512(md5: string): string | undefined {
    return this.#openByMd5.get(md5);
  }

  /** Returns undefined if there is no such sequence. Neither that nor a failure is cached. */
  async get(trunc512: string): Promise<KnownSequence | undefined> {
    const entry = this.#entries.get(trunc512) ?? this.#open(trunc512);
    this.#entries.delete(trunc512);
    this.#entries.set(trunc512, entry);
    if (performance.now() - entry.factsReadAt >= this.#options.factsMilliseconds) this.#readFacts(trunc512, entry);
    try {
      const [object, facts] = await Promise.all([entry.object, entry.facts]);
      if (object !== undefined) {
        this.#addWeight(trunc512, entry, object);
        return { object, facts };
      }
    } catch (error) {
      this.#remove(trunc512, entry);
      throw error;
    }
    this.#remove(trunc512, entry);
    return undefined;
  }

  async close(): Promise<void> {
    const entries = [...this.#entries];
    for (const [trunc512, entry] of entries) this.#remove(trunc512, entry);
    await Promise.all(entries.map(async ([, { object }]) => (await object.catch(() => undefined))?.close()));
  }

  #open(trunc512: string): CacheEntry {
    const object = SequenceObject.open(this.#store, trunc512);
    // In parallel with the read, because both may be requests to a bucket.
    const facts = readFacts(this.#store, trunc512);
    return { object, facts, factsReadAt: performance.now(), bytes: 0, md5: '' };
  }

  #readFacts(trunc512: string, entry: CacheEntry): void {
    entry.facts = readFacts(this.#store, trunc512);
    entry.factsReadAt = performance.now();
  }

  /** Counts the bytes of an object once, and evicts the least recently used objects beyond the bounds. */
  #addWeight(trunc512: string, entry: CacheEntry, { header }: SequenceObject): void {
    if (entry.bytes > 0 || this.#entries.get(trunc512) !== entry) return;
    entry.bytes = OBJECT_BYTES + runBytes(header.digests.length) * header.runCount;
    entry.md5 = header.digests.md5;
    this.#openByMd5.set(entry.md5, trunc512);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#options.cacheBytes && this.#entries.size <= MAX_OBJECTS) return;
      if (bytes > 0) this.#remove(oldest, this.#entries.get(oldest));
    }
  }

  #remove(trunc512: string, entry: CacheEntry | undefined): void {
    if (entry === undefined || this.#entries.get(trunc512) !== entry) return;
    this.#entries.delete(trunc512);
    this.#openByMd5.delete(entry.md5);
    this.#bytes -= entry.bytes;
    // Reads in progress complete before the object is closed.
    entry.object.then((object) => object?.close()).catch(() => undefined);
  }
}
