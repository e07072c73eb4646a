import type { ObjectStore } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { digestCollection } from '../collection/sequence-collection.js';
import { digestsAt, toLists } from '../table/table-data.js';
import { isStored } from './store-entries.js';
import { COLLECTIONS_PREFIX, digestOfCollectionKey, sequenceKey } from './store-layout.js';
import { readCollection } from './stored-collections.js';
import { problemOf, type Verification } from './verify-entries.js';

/** Digests every collection anew and looks for its sequences. Returns the number of those without problems. */
export async function verifyCollections({ store, signal, report }: Verification): Promise<number> {
  let count = 0;
  for await (const key of store.list(COLLECTIONS_PREFIX, { signal })) {
    const digest = digestOfCollectionKey(key);
    if (digest === undefined) {
      report(key, 'the key is not that of a collection');
      continue;
    }
    try {
      const problem = await problemOfCollection(store, digest, signal);
      if (problem === undefined) count++;
      else report(key, problem);
    } catch (error) {
      report(key, problemOf(error));
    }
  }
  return count;
}

async function problemOfCollection(
  store: ObjectStore,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const found = await readCollection(store, digest, signal);
  // Undefined if the object was removed after it was listed.
  if (found === undefined) return undefined;
  const { columns } = found;
  const computed = await digestCollection(toLists(columns), new TimeSlice(signal));
  if (computed.digest !== digest) return 'the sequences do not match the digest of the collection';
  for (let row = 0; row < columns.lengths.length; row++) {
    const { sha512t24u, trunc512 } = digestsAt(columns, row);
    if (!(await isStored(store, sequenceKey(trunc512)))) return `the sequence ${sha512t24u} does not exist`;
  }
  return undefined;
}
