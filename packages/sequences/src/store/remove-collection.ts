import { type ObjectStore, toHex } from '@htskit/io';
import { DIGEST_BYTES } from '../collection/sequence-collection.js';
import { digestsAt, type SequenceColumns } from '../table/table-data.js';
import { findCollection } from './export-collection.js';
import { factKeys, readFacts } from './store-entries.js';
import { collectionKey, md5Key, sequenceKey } from './store-layout.js';
import { listCollections, readCollection } from './stored-collections.js';

export interface RemoveCollectionOptions {
  readonly signal?: AbortSignal;
}

export interface RemoveSummary {
  /** Sequences that were removed: those that no other collection has. */
  readonly sequences: number;
}

/**
 * Removes a collection from a store, with its sequences that no other collection has and their aliases. The collection is
 * removed last, so that repeating an interrupted removal completes it. No import may run at the same time.
 *
 * Throws SequenceStoreError NOT_A_STORE, UNKNOWN_COLLECTION and CORRUPT, and StorageError.
 *
 * @example
 * const { sequences } = await removeCollection(folderStore('sequences'), 'XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk');
 */
export async function removeCollection(
  store: ObjectStore,
  digest: string,
  { signal }: RemoveCollectionOptions = {},
): Promise<RemoveSummary> {
  const found = await findCollection(store, digest, signal);
  const unshared = rowsByTrunc512(found.columns);
  for await (const other of listCollections(store, { signal })) {
    if (other.digest === digest) continue;
    const columns = (await readCollection(store, other.digest, signal))?.columns;
    for (const trunc512 of columns === undefined ? [] : rowsByTrunc512(columns).keys()) unshared.delete(trunc512);
  }
  for (const [trunc512, row] of unshared) {
    signal?.throwIfAborted();
    await removeSequence(store, trunc512, digestsAt(found.columns, row).md5);
  }
  await store.delete(collectionKey(digest), { signal });
  return { sequences: unshared.size };
}

/** Returns a row of each different sequence. */
function rowsByTrunc512({ sha512t24u }: SequenceColumns): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < sha512t24u.length / DIGEST_BYTES; row++) {
    rows.set(toHex(sha512t24u.subarray(DIGEST_BYTES * row, DIGEST_BYTES * (row + 1))), row);
  }
  return rows;
}

/** Removes the ways to a sequence before the sequence itself. */
async function removeSequence(store: ObjectStore, trunc512: string, md5: string): Promise<void> {
  const keys = [...factKeys(trunc512, await readFacts(store, trunc512)), md5Key(md5)];
  await Promise.all(keys.map((key) => store.delete(key)));
  await store.delete(sequenceKey(trunc512));
}
