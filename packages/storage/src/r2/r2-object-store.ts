import {
  type ByteSource,
  checkNotAborted,
  type ObjectStore,
  type ObjectStream,
  type PutOptions,
  type StoreOptions,
} from '@htskit/io';
import { checkBucketKey, isBucketKey } from '../bucket/bucket-key.js';
import { encodeOrigin, ORIGIN_NAME } from '../bucket/origin.js';
import { toChangedError } from '../http/storage-failure.js';
import { putStream } from './put-stream.js';
import type { R2BucketBinding, R2Condition, R2Listed, R2WriteOptions } from './r2-bucket.js';
import { withR2Errors } from './r2-errors.js';
import { R2Source, r2EtagOf } from './r2-source.js';

export interface R2ObjectStoreOptions {
  /** The beginning of all keys in the bucket, such as `refget/`. Default: nothing. */
  readonly prefix?: string;
  /**
   * Names the bucket in the keys of its sources, since a binding does not know its bucket: it must differ between the buckets that a
   * Worker serves. Default `r2`.
   */
  readonly name?: string;
}

/**
 * Returns a store of the objects in an R2 bucket that is bound to a Worker. Keys are those that `s3ObjectStore` holds, and so are
 * versions and origins: both may be used on one bucket. An object is at most 5 GiB large, since it is written by one request.
 *
 * @example
 * const store = r2ObjectStore(env.BUCKET, { prefix: 'alignments/' });
 * const { size, version } = await store.source('HG002.bam').stat();
 */
export function r2ObjectStore(bucket: R2BucketBinding, options: R2ObjectStoreOptions = {}): ObjectStore {
  return new R2Store(bucket, options);
}

class R2Store implements ObjectStore {
  readonly #bucket: R2BucketBinding;
  readonly #prefix: string;
  readonly #name: string;

  constructor(bucket: R2BucketBinding, { prefix = '', name = 'r2' }: R2ObjectStoreOptions) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#name = name;
  }

  source(key: string): ByteSource {
    checkBucketKey(key);
    const objectKey = this.#prefix + key;
    return new R2Source({ bucket: this.#bucket, objectKey, key: `${this.#name}:${objectKey}` });
  }

  async put(
    key: string,
    content: Uint8Array | ObjectStream,
    { signal, replaces, origin }: PutOptions = {},
  ): Promise<void> {
    checkBucketKey(key);
    checkNotAborted(signal, key);
    const options: R2WriteOptions = {
      ...(replaces !== undefined && { onlyIf: toCondition(replaces, key) }),
      ...(origin !== undefined && { customMetadata: { [ORIGIN_NAME]: encodeOrigin(origin) } }),
    };
    const put = (value: Uint8Array | ReadableStream): Promise<unknown> =>
      this.#bucket.put(this.#prefix + key, value, options);
    const context = { key, signal };
    const isStream = !(content instanceof Uint8Array);
    const stored = await (isStream ? putStream(content, put, context) : withR2Errors(put(content), context));
    if (stored === null) throw toChangedError({ key });
  }

  async *list(prefix: string, { signal }: StoreOptions = {}): AsyncGenerator<string, void> {
    let cursor: string | undefined;
    do {
      checkNotAborted(signal, prefix);
      const page: R2Listed = await withR2Errors(
        this.#bucket.list({ prefix: this.#prefix + prefix, ...(cursor !== undefined && { cursor }) }),
        { key: prefix, signal },
      );
      for (const object of page.objects) {
        const key = object.key.slice(this.#prefix.length);
        if (isBucketKey(key)) yield key;
      }
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }

  async delete(key: string, { signal }: StoreOptions = {}): Promise<void> {
    checkBucketKey(key);
    checkNotAborted(signal, key);
    await withR2Errors(this.#bucket.delete(this.#prefix + key), { key, signal });
  }
}

/** Returns the condition of a put that must replace an object, or none. Throws CHANGED for a version that no object of R2 has. */
function toCondition(replaces: string | null, key: string): R2Condition {
  if (replaces === null) return { etagDoesNotMatch: '*' };
  const etag = r2EtagOf(replaces);
  if (etag === undefined) throw toChangedError({ key });
  return { etagMatches: etag };
}
