import type { Locate } from '@htskit/htsget';
import { type ByteSource, type Clock, type ObjectStore, systemClock } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import { guardedStore, StoreGuard, type StoreGuardOptions } from '@htskit/storage/guard';
import { type HttpSourceOptions, httpSource } from '@htskit/storage/http';
import { type S3Options, type S3Source, s3ObjectStore, s3Source } from '@htskit/storage/s3';
import type { BucketLocation, RemoteLocation, UrlLocation } from './location.node.js';
import { type SharedCache, sharedSource } from './shared-source.js';
import { type RemoteCaches, type StoredObject, toStored } from './stored-object.js';

/** The sender of the stored bytes: this server, or the bucket itself through presigned URLs. */
export type Delivery = 'proxied' | 'presigned';

export interface RemoteStorageOptions extends RemoteCaches {
  /** Options of all buckets. */
  readonly s3: Omit<S3Options, 'bucket'>;
  /** Validity of presigned URLs in seconds. */
  readonly presignSeconds: number;
  /**
   * Time limits and retries of all requests, buckets included. Default: those of `@htskit/http`, except that redirects lead to the
   * same host only.
   */
  readonly transport?: Omit<HttpSourceOptions, 'key' | 'headers' | 'admit'>;
  /** The limits of each bucket and web server. */
  readonly guards?: StoreGuardOptions;
}

/**
 * Opens remote files, whose blocks are cached. Nothing is read when a file is opened. Each bucket and web server has a guard, so
 * that one that does not respond holds up no others.
 */
export class RemoteStorage {
  readonly #options: RemoteStorageOptions;
  readonly #guards = new Map<string, StoreGuard>();
  #shared: SharedCache | undefined;

  constructor(options: RemoteStorageOptions) {
    this.#options = options;
  }

  /** The guards of the buckets and web servers that were opened so far. */
  get guards(): readonly StoreGuard[] {
    return [...this.#guards.values()];
  }

  /**
   * Shares the headers, indexes and bigWig files of the objects that are opened from now on. A file that is encrypted, or that is read
   * with credentials of its own, is not shared.
   */
  share(cache: SharedCache): void {
    this.#shared = cache;
  }

  /** Waits as the requests to buckets do between attempts. */
  get sleep(): Clock['sleep'] {
    return this.#options.s3.sleep ?? systemClock.sleep;
  }

  /** Throws `StorageError` INVALID_KEY for a bucket key that no URL can hold. */
  open(location: RemoteLocation, delivery: Delivery = 'proxied'): StoredObject {
    const guard = this.guardOf(location);
    if (location.kind === 'http') return this.#toStored(location, this.#openUrl(location, guard));
    const object = this.#openObject(location, guard);
    const locate: Locate = (range, context) => object.presign(range, context);
    return { ...this.#toStored(location, object), locate: delivery === 'presigned' ? locate : undefined };
  }

  /** Opens an index of a file that was opened before, or its bigWig. */
  openIndex(location: RemoteLocation, { source: data }: StoredObject): StoredObject {
    const guard = this.guardOf(location);
    const index = location.kind === 'http' ? this.#openUrl(location, guard) : this.#openObject(location, guard);
    return this.#toStored(location, index, data);
  }

  /** Returns the objects whose keys begin with the key of the location and a slash. */
  openStore(location: BucketLocation): ObjectStore {
    const { bucket, key } = location;
    const guard = this.guardOf(location);
    const options = { ...this.#s3Options(guard), bucket, prefix: key === '' ? '' : `${key}/` };
    return guardedStore(s3ObjectStore(options), guard);
  }

  /** Returns the guard of the bucket or web server of a location. */
  guardOf(location: RemoteLocation): StoreGuard {
    const name = location.kind === 's3' ? `s3://${location.bucket}` : new URL(location.url).origin;
    const { s3, guards } = this.#options;
    const guard = this.#guards.get(name) ?? new StoreGuard(name, { now: s3.now, ...guards });
    this.#guards.set(name, guard);
    return guard;
  }

  /** The options of requests to a web server, with its guard. */
  transportOf(guard: StoreGuard): Omit<HttpSourceOptions, 'key' | 'headers'> {
    return { redirectHosts: [], ...this.#options.transport, admit: guard.admit };
  }

  #openUrl({ url, access }: UrlLocation, guard: StoreGuard): ByteSource {
    return httpSource(url, { ...this.transportOf(guard), ...access });
  }

  #openObject({ bucket, key }: BucketLocation, guard: StoreGuard): S3Source {
    return s3Source({ ...this.#s3Options(guard), bucket, key, presignSeconds: this.#options.presignSeconds });
  }

  #s3Options({ admit }: StoreGuard): Omit<S3Options, 'bucket'> {
    return { ...this.#options.transport, ...this.#options.s3, admit };
  }

  #toStored(location: RemoteLocation, remote: ByteSource, data?: ByteSource): StoredObject {
    const path = location.kind === 's3' ? location.key : new URL(location.url).pathname;
    const isShared = !isEncryptedPath(path) && (location.kind === 's3' || location.access === undefined);
    const source =
      this.#shared && isShared ? sharedSource(remote, this.#shared, data === undefined ? 'ends' : 'all') : remote;
    return { ...toStored(source, path, { ...this.#options, data }), guard: this.guardOf(location) };
  }
}
