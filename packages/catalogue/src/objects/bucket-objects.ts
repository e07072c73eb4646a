import { BlockCache } from '@htskit/storage/cache';
import type { StoreGuardOptions } from '@htskit/storage/guard';
import type { S3Options } from '@htskit/storage/s3';
import type { BucketLocation } from '../locations/location.node.js';
import { type Delivery, RemoteStorage } from '../locations/remote-storage.js';
import { keyedObjects } from './keyed-objects.js';
import type { Decrypt, ObjectCatalogue } from './object-catalogue.js';

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
  const toLocation = (key: string): BucketLocation | undefined => {
    const whole = location.key === '' ? key : `${location.key}/${key}`;
    return isPossibleKey(whole) ? { ...location, key: whole } : undefined;
  };
  return keyedObjects({
    open: (key) => {
      const file = toLocation(key);
      return file && storage.open(file, delivery);
    },
    openIndex: (key, data) => {
      const file = toLocation(key);
      return file && storage.openIndex(file, data);
    },
    keys: () => storage.openStore(location).list(''),
    guard: storage.guardOf(location),
    decrypt,
    now,
  });
}

/** Returns whether a key fits S3 and can be written in a URL, which unpaired surrogates cannot. */
function isPossibleKey(key: string): boolean {
  return !/\p{Surrogate}/u.test(key) && new TextEncoder().encode(key).length <= MAX_KEY_BYTES;
}
