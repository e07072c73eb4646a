import { type ObjectStore, toByteStream } from '@htskit/io';
import { checkBaseRange } from '../base-range.js';
import type { Sequence, SequenceCatalogue } from '../sequence.js';
import { type KnownSequence, ObjectCache } from './object-cache.js';
import { findDigests, readMarker } from './store-index.js';
import { AUTHORITIES_PREFIX } from './store-layout.js';

export interface OpenSequenceStoreOptions {
  /**
   * About how many bytes are kept of the sequences that were asked for last; each takes at least 64 KiB, and there are 256
   * at most. Default 64 MiB.
   */
  readonly cachedBytes?: number | undefined;
  /** Milliseconds after which the aliases of such a sequence are looked up again. Default 60,000. */
  readonly aliasMilliseconds?: number | undefined;
}

/** The sequences of a store. */
export interface SequenceStore extends SequenceCatalogue {
  /** Those that had given aliases when the store was opened. */
  readonly namingAuthorities: readonly string[];
  find(identifier: Parameters<SequenceCatalogue['find']>[0]): Promise<readonly Sequence[]>;
  /** Frees what is held between reads; the store can still be used. */
  close(): Promise<void>;
}

/**
 * Opens a store that `importFasta` wrote. Nothing of a sequence is read before it is asked for: finding it takes one read
 * by sha512t24u or TRUNC512, two by MD5, and one and a listing by alias. Its aliases take a listing, at the same time as
 * the read. Throws SequenceStoreError NOT_A_STORE and UNSUPPORTED_VERSION, StorageError; `find` throws CORRUPT, too.
 */
export async function openSequenceStore(
  store: ObjectStore,
  { cachedBytes = 2 ** 26, aliasMilliseconds = 60_000 }: OpenSequenceStoreOptions = {},
): Promise<SequenceStore> {
  await readMarker(store);
  const namingAuthorities: string[] = [];
  for await (const key of store.list(AUTHORITIES_PREFIX)) namingAuthorities.push(key.slice(AUTHORITIES_PREFIX.length));
  const cache = new ObjectCache(store, { cachedBytes, factsMilliseconds: aliasMilliseconds });
  return {
    namingAuthorities: namingAuthorities.sort(),
    async find(identifier) {
      const open = identifier.kind === 'md5' ? cache.openTrunc512(identifier.digest) : undefined;
      const digests = open === undefined ? await findDigests(store, identifier) : [open];
      const found = await Promise.all(digests.map((trunc512) => cache.get(trunc512)));
      return found.filter((known) => known !== undefined).map(toSequence);
    },
    close: () => cache.close(),
  };
}

function toSequence({ object, facts }: KnownSequence): Sequence {
  const { digests } = object.header;
  return {
    metadata: { ...digests, ...facts },
    read(range, { signal } = {}) {
      checkBaseRange(range, digests.length);
      return object.read(range, signal);
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, digests.length);
      return toByteStream(object.chunks(range, signal));
    },
  };
}
