import type { Locate } from '@htskit/htsget';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { type BlockCache, cachedSource } from '@htskit/storage/cache';
import { fileSource } from '@htskit/storage/file';
import { httpSource } from '@htskit/storage/http';
import { type S3Options, type S3Source, s3ObjectStore, s3Source } from '@htskit/storage/s3';
import type { BucketLocation, Location } from './location.js';
import { rememberStat } from './remembered-stat.js';

/** Who sends what is stored: this server, or the bucket itself by presigned URLs. */
export type Delivery = 'proxied' | 'presigned';

export interface StoredObject {
  readonly source: ByteSource;
  /** As of `StoredFile`; a local file has none, since its version names its inode, and replicas may have other paths. */
  readonly identity?: string;
  /** Where the bucket sends it, if that is wanted. */
  readonly locate: Locate | undefined;
}

export interface RemoteStorageOptions {
  /** Of all buckets. */
  readonly s3: Omit<S3Options, 'bucket'>;
  /** Of the blocks of all remote files. */
  readonly cache: BlockCache;
  /** For how long presigned URLs are valid. */
  readonly presignSeconds: number;
  /** For how long the size and version of a remote file stand; 0 means that each ticket asks. Default `STAT_SECONDS`. */
  readonly statSeconds?: number | undefined;
}

/** Long enough for the tickets of a busy object to ask seldom, short enough for clients to try again. */
export const STAT_SECONDS = 5;

/** Opens what locations lead to; nothing is read yet. What lies elsewhere is read by way of the cache. */
export class RemoteStorage {
  readonly #options: RemoteStorageOptions;

  constructor(options: RemoteStorageOptions) {
    this.#options = options;
  }

  /** Throws StorageError INVALID_KEY for a bucket's key that no URL can hold. */
  open(location: Location, delivery: Delivery = 'proxied'): StoredObject {
    if (location.kind === 'path') return { source: fileSource(location.path), locate: undefined };
    if (location.kind === 'http') return this.#keep(httpSource(location.url));
    const object = this.#openObject(location);
    const locate: Locate = (range, context) => object.presign(range, context);
    return { ...this.#keep(object), locate: delivery === 'presigned' ? locate : undefined };
  }

  /** An index of what was opened. */
  openIndex(location: Location, { source: data }: StoredObject): StoredObject {
    if (location.kind === 'path') return this.open(location);
    return this.#keep(location.kind === 'http' ? httpSource(location.url) : this.#openObject(location), data);
  }

  #openObject({ bucket, key }: BucketLocation): S3Source {
    const { s3, presignSeconds } = this.#options;
    return s3Source({ ...s3, bucket, key, presignSeconds });
  }

  #keep(remote: ByteSource, data?: ByteSource): StoredObject {
    const { cache, statSeconds = STAT_SECONDS } = this.#options;
    const source = rememberStat(cachedSource(remote, cache), { milliseconds: statSeconds * 1000, data });
    return { source, identity: remote.key, locate: undefined };
  }

  /** The objects whose keys begin with that of the location and a slash. */
  openStore({ bucket, key }: BucketLocation): ObjectStore {
    return s3ObjectStore({ ...this.#options.s3, bucket, prefix: key === '' ? '' : `${key}/` });
  }
}
