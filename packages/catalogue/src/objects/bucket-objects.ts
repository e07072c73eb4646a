import { coveragePathOf } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import type { Datatype } from '@htskit/protocol';
import { BlockCache } from '@htskit/storage/cache';
import type { StoreGuardOptions } from '@htskit/storage/guard';
import type { S3Options } from '@htskit/storage/s3';
import type { BucketLocation } from '../locations/location.node.js';
import { type Delivery, RemoteStorage } from '../locations/remote-storage.js';
import { type CandidateFile, lookedUpObjects } from './looked-up-objects.js';
import {
  type Decrypt,
  kindsOf,
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  RESERVED_ID,
  toEntry,
} from './object-catalogue.js';

export interface BucketObjectsOptions extends S3Options {
  /** Serves only the keys that begin with the prefix and a slash. Ids do not include it. Default: all keys. */
  readonly prefix?: string;
  /** `proxied`, the default: the handler sends the data. `presigned`: tickets hold presigned URLs of the bucket. */
  readonly delivery?: Delivery;
  /** Validity of presigned URLs in seconds. Default 3600. */
  readonly presignSeconds?: number;
  /** Seconds for which the size and version of a file are cached; 0 to request them for each ticket. Default 5. */
  readonly statSeconds?: number;
  /** Caches blocks of the files; may be shared. Default: a new cache of 64 MiB. */
  readonly cache?: BlockCache;
  /** Decrypts files such as `a.bam.c4gh`. They are never presigned. Default: they are not served. */
  readonly decrypt?: Decrypt;
  /** The limits that keep a bucket that does not respond from holding up everything else. */
  readonly guard?: StoreGuardOptions;
}

/** Keys of one listing request. */
export const LISTED_KEYS: number = 1000;
/** Longest S3 key in bytes. */
const MAX_KEY_BYTES = 1024;

/**
 * Serves the htsget objects of a bucket. The id of an object is its key after the prefix, without the extension. Files that
 * appear, change or are deleted are noticed within seconds.
 *
 * @example
 * const { resolve } = bucketObjects({ bucket: 'cohort', region: 'eu-west-1', prefix: 'alignments', credentials });
 * const handler = createHtsgetHandler({ publicUrl: 'https://data.example.org/htsget', resolve });
 */
export function bucketObjects(options: BucketObjectsOptions): ObjectCatalogue {
  const { bucket, prefix = '', delivery, presignSeconds = 3600, statSeconds, cache, decrypt, guard, ...s3 } = options;
  const shared = { cache: cache ?? new BlockCache(), presignSeconds, statSeconds, guards: guard };
  const storage = new RemoteStorage({ ...shared, s3 });
  const key = prefix.replace(/\/$/, '');
  return locationObjects({ kind: 's3', bucket, key }, { storage, delivery, decrypt });
}

export interface LocationObjectsOptions {
  readonly storage: RemoteStorage;
  readonly delivery?: Delivery;
  readonly decrypt?: Decrypt | undefined;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
}

/** Serves the objects of a bucket location, as `bucketObjects` does, from storage that is shared. */
export function locationObjects(
  location: BucketLocation,
  { storage, delivery, decrypt, now }: LocationObjectsOptions,
): ObjectCatalogue {
  const toLocation = (key: string): BucketLocation => ({
    ...location,
    key: location.key === '' ? key : `${location.key}/${key}`,
  });
  const toLocations = (keys: readonly string[]): BucketLocation[] =>
    keys.map(toLocation).filter(({ key }) => isPossibleKey(key));
  const candidates = (id: string, datatype: Datatype): CandidateFile[] =>
    kindsOf(datatype, decrypt).flatMap((kind) =>
      toLocations([id + kind.extension]).map((each) => {
        const data = storage.open(each, delivery);
        const indexes = toLocations(indexPaths(id + kind.extension, kind.format));
        const coverages = datatype === 'reads' ? toLocations([coveragePathOf(id + kind.extension)]) : [];
        const [coverage] = coverages.map((bigWig) => storage.openIndex(bigWig, data));
        return { kind, data, indexes: indexes.map((index) => storage.openIndex(index, data)), coverage };
      }),
    );
  const guards = [storage.guardOf(location)];
  return lookedUpObjects({
    candidates,
    guards: () => guards,
    decrypt,
    list: async () => toEntries(await firstKeys(storage, location), decrypt),
    close: async () => undefined,
    now,
  });
}

/** Returns whether a key fits S3 and can be written in a URL, which unpaired surrogates cannot. */
function isPossibleKey(key: string): boolean {
  return !/\p{Surrogate}/u.test(key) && new TextEncoder().encode(key).length <= MAX_KEY_BYTES;
}

/** Returns the keys that one listing request returns, relative to the location. */
export async function firstKeys(storage: RemoteStorage, location: BucketLocation): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.openStore(location).list('')) {
    if (keys.push(key) === LISTED_KEYS) break;
  }
  return keys;
}

function toEntries(keys: readonly string[], decrypt: Decrypt | undefined): ObjectEntry[] {
  const found = new Map<string, { readonly id: string; readonly datatype: Datatype; readonly kinds: ObjectKind[] }>();
  for (const key of keys) {
    const kind = objectKindOf(key);
    if (kind === undefined || (kind.isEncrypted && decrypt === undefined)) continue;
    const { datatype, extension } = kind;
    const id = key.slice(0, -extension.length);
    if (id === RESERVED_ID) continue;
    const name = `${datatype}/${id}`;
    const object = found.get(name) ?? { id, datatype, kinds: [] };
    object.kinds.push(kind);
    found.set(name, object);
  }
  return Array.from(found.values(), ({ kinds, ...object }) => toEntry(object, kinds));
}
