import type { Locate } from '@htskit/htsget';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { type BlockCache, cachedSource } from '@htskit/storage/cache';
import { httpSource } from '@htskit/storage/http';
import { type S3Options, type S3Source, s3ObjectStore, s3Source } from '@htskit/storage/s3';
import type { BucketLocation, RemoteLocation } from './location.node.js';
import { cacheStat } from './stat-caching-source.js';

/** The sender of the stored bytes: this server, or the bucket itself through presigned URLs. */
export type Delivery = 'proxied' | 'presigned';

/** An opened file of an htsget object. */
export interface StoredObject {
  readonly source: ByteSource;
  /** See `StoredFile`. Local files have none: their version includes the inode, and replicas may use other paths. */
  readonly identity?: string;
  /** Creates presigned URLs, if clients fetch the bytes from the bucket. */
  readonly locate: Locate | undefined;
}

export interface RemoteStorageOptions {
  /** Options of all buckets. */
  readonly s3: Omit<S3Options, 'bucket'>;
  /** Caches blocks of all remote files. */
  readonly cache: BlockCache;
  /** Validity of presigned URLs in seconds. */
  readonly presignSeconds: number;
  /** Seconds for which the size and version of a remote file are cached; 0 to request them for each ticket. Default 5. */
  readonly statSeconds?: number | undefined;
}

/** Long enough to save most requests for a busy object, short enough for a client to retry after a change. */
export const STAT_SECONDS = 5;

/** Opens remote files, whose blocks are cached. Nothing is read when a file is opened. */
export class RemoteStorage {
  readonly #options: RemoteStorageOptions;

  constructor(options: RemoteStorageOptions) {
    this.#options = options;
  }

  /** Throws `StorageError` INVALID_KEY for a bucket key that no URL can hold. */
  open(location: RemoteLocation, delivery: Delivery = 'proxied'): StoredObject {
    if (location.kind === 'http') return this.#toStored(httpSource(location.url));
    const object = this.#openObject(location);
    const locate: Locate = (range, context) => object.presign(range, context);
    return { ...this.#toStored(object), locate: delivery === 'presigned' ? locate : undefined };
  }

  /** Opens an index of a file that was opened before. */
  openIndex(location: RemoteLocation, { source: data }: StoredObject): StoredObject {
    return this.#toStored(location.kind === 'http' ? httpSource(location.url) : this.#openObject(location), data);
  }

  /** Returns the objects whose keys begin with the key of the location and a slash. */
  openStore({ bucket, key }: BucketLocation): ObjectStore {
    return s3ObjectStore({ ...this.#options.s3, bucket, prefix: key === '' ? '' : `${key}/` });
  }

  #openObject({ bucket, key }: BucketLocation): S3Source {
    const { s3, presignSeconds } = this.#options;
    return s3Source({ ...s3, bucket, key, presignSeconds });
  }

  #toStored(remote: ByteSource, data?: ByteSource): StoredObject {
    const { cache, statSeconds = STAT_SECONDS } = this.#options;
    const source = cacheStat(cachedSource(remote, cache), { milliseconds: statSeconds * 1000, data });
    return { source, identity: remote.key, locate: undefined };
  }
}
