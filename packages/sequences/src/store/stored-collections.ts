import { LruCache, type ObjectStore } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { COLLECTION_ATTRIBUTES } from '../collection/collection-attributes.js';
import type { CollectionSource, CollectionSummary } from '../collection/collection-source.js';
import { type SequenceCollection, toCollection } from '../collection/sequence-collection.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { type SequenceColumns, toLists } from '../table/table-data.js';
import { formatTable, parseTable, parseTableSummary, type SavedTable } from '../table/table-format.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { isStored, readObject } from './store-entries.js';
import { COLLECTIONS_PREFIX, collectionKey, digestOfCollectionKey } from './store-layout.js';

const DIGEST = /^[A-Za-z0-9_-]{32}$/;
/** Bytes that are read for the summary of a collection. */
const HEAD_BYTES = 4096;
/** Bytes of collections to keep in memory. One of 5,000,000 sequences takes 350 MB. */
const CACHE_BYTES = 2 ** 29;
const ORIGIN = { kind: 'collection', size: 0, version: '' };

/** Stores the collection of a table unless it exists. Returns its digest. */
export async function putCollection(store: ObjectStore, table: SavedTable, signal?: AbortSignal): Promise<string> {
  const { collection } = table;
  if (collection === undefined) throw new RangeError('the sequences form no collection');
  // Views of the columns, which are not copied.
  const chunks = [...formatTable({ ...table, indexes: undefined, places: {} }, ORIGIN)];
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const key = collectionKey(collection.digest);
  if (!(await isStored(store, key, size))) await store.put(key, { size, chunks: iterate(chunks) }, { signal });
  return collection.digest;
}

async function* iterate(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** A stored collection with the columns that it was made from. */
export interface StoredCollection {
  readonly collection: SequenceCollection;
  readonly columns: SequenceColumns;
}

/**
 * Reads a collection. Returns undefined if there is none of this digest. Throws SequenceStoreError CORRUPT, and StorageError.
 */
export async function readCollection(
  store: ObjectStore,
  digest: string,
  signal?: AbortSignal,
): Promise<StoredCollection | undefined> {
  if (!DIGEST.test(digest)) return undefined;
  const key = collectionKey(digest);
  const bytes = await readObject(store, key, { signal });
  if (bytes === undefined) return undefined;
  const table = await new TimeSlice(signal).run(parseTable(bytes, ORIGIN)).catch((error: unknown) => {
    throw toCorrupt(error, key);
  });
  if (table?.collection?.digest !== digest) {
    throw new SequenceStoreError('CORRUPT', 'the object does not hold the collection', { key });
  }
  return { collection: toCollection(toLists(table), table.collection), columns: table };
}

function toCorrupt(error: unknown, key: string): unknown {
  if (!(error instanceof SequenceSourceError)) return error;
  return new SequenceStoreError('CORRUPT', error.message, { key, cause: error });
}

/** Lists the collections of a store with their digests. Throws SequenceStoreError CORRUPT, and StorageError. */
export async function* listCollections(
  store: ObjectStore,
  {
    known = new Map(),
    signal,
  }: { readonly known?: Map<string, CollectionSummary>; readonly signal?: AbortSignal } = {},
): AsyncGenerator<CollectionSummary, void> {
  for await (const key of store.list(COLLECTIONS_PREFIX, { signal })) {
    const digest = digestOfCollectionKey(key);
    if (digest === undefined) continue;
    const summary = known.get(digest) ?? (await readSummary(store, key, signal));
    if (summary === undefined) continue;
    known.set(digest, summary);
    yield summary;
  }
}

async function readSummary(
  store: ObjectStore,
  key: string,
  signal: AbortSignal | undefined,
): Promise<CollectionSummary | undefined> {
  const head = await readObject(store, key, { signal, maxBytes: HEAD_BYTES });
  if (head === undefined) return undefined;
  try {
    const { collection, length } = parseTableSummary(head);
    const digests = COLLECTION_ATTRIBUTES.map((name) => [name, collection.attributes[name].digest] as const);
    return { digest: collection.digest, length, attributes: Object.fromEntries(digests) };
  } catch (error) {
    throw toCorrupt(error, key);
  }
}

export interface StoredCollectionsOptions {
  /** Milliseconds for which a list is not repeated. */
  readonly listMilliseconds: number;
}

/** The collections of a store, which are listed again from time to time and read when they are requested. */
export class StoredCollections implements CollectionSource {
  readonly #store: ObjectStore;
  readonly #collections = new LruCache<SequenceCollection | undefined>({ maxWeight: CACHE_BYTES });
  readonly #lists: LruCache<readonly CollectionSummary[]>;
  /** Summaries never change. */
  readonly #known = new Map<string, CollectionSummary>();

  constructor(store: ObjectStore, { listMilliseconds }: StoredCollectionsOptions) {
    this.#store = store;
    this.#lists = new LruCache({ maxWeight: 1, ttlMilliseconds: listMilliseconds });
  }

  list(): Promise<readonly CollectionSummary[]> {
    return this.#lists.load('', async () => {
      const value: CollectionSummary[] = [];
      for await (const summary of listCollections(this.#store, { known: this.#known })) value.push(summary);
      return { value, weight: 1 };
    });
  }

  find(digest: string): Promise<SequenceCollection | undefined> {
    return this.#collections.load(digest, async () => {
      const found = await readCollection(this.#store, digest);
      // What is missing now may be imported later: too heavy to be kept.
      if (found === undefined) return { value: undefined, weight: Number.POSITIVE_INFINITY };
      const { names, sha512t24u, md5, lengths } = found.columns;
      const weight = names.bytes.length + sha512t24u.length + md5.length + 16 * lengths.length;
      return { value: found.collection, weight };
    });
  }
}
