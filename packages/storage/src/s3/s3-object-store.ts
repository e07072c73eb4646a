import type { HttpHeaders } from '@htskit/http';
import {
  checkNotAborted,
  type ObjectStore,
  type ObjectStream,
  type PutOptions,
  StorageError,
  type StoreOptions,
} from '@htskit/io';
import { checkBucketKey, isBucketKey } from '../bucket/bucket-key.js';
import { checkedContent } from '../bucket/checked-content.js';
import { toChangedError } from '../http/storage-failure.js';
import { Bucket, type BucketContext, type S3Options, toObjectUrl } from './bucket.js';
import { MAX_PARTS, MultipartUpload, toParts } from './multipart.js';
import { readElement, readKeys, unexpectedResponse } from './s3-response.js';
import { etagOf, originHeaders, type S3Source, sourceIn } from './s3-source.js';

export interface S3ObjectStoreOptions extends S3Options {
  /** The beginning of all keys in the bucket, such as `refget/`. Default: nothing. */
  readonly prefix?: string;
  /**
   * Bytes of one part of a large object. Two parts are held in memory. Most stores require at least 5 MiB. Parts are larger
   * for objects of known size that would need more than 10,000. Default 8 MiB.
   */
  readonly partBytes?: number;
  /** See `s3Source`. */
  readonly presignSeconds?: number;
}

/** A store of the objects in a bucket. */
export interface S3ObjectStore extends ObjectStore {
  source(key: string): S3Source;
  /** Like `put` of every store; also accepts streams of unknown size. */
  put(key: string, content: Uint8Array | ObjectStream | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>;
}

const PART_BYTES = 8 * 1024 * 1024;

/**
 * Returns a store of the objects in a bucket whose keys begin with `prefix`. Keys may have characters that other stores refuse, but
 * no empty, `.` or `..` segment. Content larger than one part is uploaded in
 * parts; those of killed writers remain until a lifecycle rule of the bucket removes them. Throws like `s3Source`.
 *
 * @example
 * const store = s3ObjectStore({ bucket: 'cohort', region: 'eu-central-1', prefix: 'refget/' });
 * await store.put('some-digest', bytes);
 */
export function s3ObjectStore(options: S3ObjectStoreOptions): S3ObjectStore {
  return new BucketStore(options);
}

class BucketStore implements S3ObjectStore {
  readonly #bucket: Bucket;
  readonly #prefix: string;
  readonly #partBytes: number;
  readonly #presignSeconds: number | undefined;

  constructor({ prefix = '', partBytes = PART_BYTES, presignSeconds, ...options }: S3ObjectStoreOptions) {
    if (!Number.isSafeInteger(partBytes) || partBytes < 1) {
      throw new RangeError(`partBytes must be a positive integer, found ${partBytes}`);
    }
    this.#bucket = new Bucket(options);
    this.#prefix = prefix;
    this.#partBytes = partBytes;
    this.#presignSeconds = presignSeconds;
  }

  source(key: string): S3Source {
    checkBucketKey(key);
    return sourceIn(this.#bucket, this.#prefix + key, this.#presignSeconds);
  }

  async put(
    key: string,
    content: Uint8Array | ObjectStream | AsyncIterable<Uint8Array>,
    { signal, ...options }: PutOptions = {},
  ): Promise<void> {
    const url = this.#url(key);
    checkNotAborted(signal, key);
    const condition = toCondition(options, key);
    const metadata = originHeaders(options.origin);
    const parts = toParts(checkedContent(content, { key, signal }), this.#partLength(content));
    try {
      const first = (await parts.next()).value ?? new Uint8Array();
      const second = await parts.next();
      if (second.done === true) {
        const headers = { ...metadata, ...condition };
        await this.#bucket.call({ method: 'PUT', url, headers, body: first }, { key, signal });
      } else {
        await this.#putParts([first, second.value], { url, parts, condition, metadata, context: { key, signal } });
      }
    } catch (error) {
      throw condition['if-match'] === undefined ? error : toChanged(error);
    } finally {
      await parts.return();
    }
  }

  async *list(prefix: string, { signal }: StoreOptions = {}): AsyncGenerator<string, void> {
    let token: string | undefined = '';
    do {
      const url = new URL(this.#bucket.url);
      url.searchParams.set('list-type', '2');
      // XML 1.0 has no control characters but tab and line ends.
      url.searchParams.set('encoding-type', 'url');
      url.searchParams.set('prefix', this.#prefix + prefix);
      if (token !== '') url.searchParams.set('continuation-token', token);
      const { text } = await this.#bucket.call({ method: 'GET', url }, { key: prefix, signal });
      const next = readNextToken(text);
      if (!text.includes('<ListBucketResult') || (next !== undefined && next === token))
        throw unexpectedResponse(prefix);
      for (const found of readKeys(text)) {
        const key = found.slice(this.#prefix.length);
        if (found.startsWith(this.#prefix + prefix) && isBucketKey(key)) yield key;
      }
      token = next;
    } while (token !== undefined);
  }

  async delete(key: string, { signal }: StoreOptions = {}): Promise<void> {
    try {
      await this.#bucket.call({ method: 'DELETE', url: this.#url(key) }, { key, signal });
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'NOT_FOUND') throw error;
    }
  }

  #url(key: string): URL {
    checkBucketKey(key);
    return toObjectUrl(this.#bucket.url, this.#prefix + key);
  }

  /** Returns the bytes of one part: no more than needed, and enough for the limit on their number. */
  #partLength(content: Uint8Array | ObjectStream | AsyncIterable<Uint8Array>): number {
    const size = content instanceof Uint8Array ? content.length : 'size' in content ? content.size : undefined;
    if (size === undefined) return this.#partBytes;
    return Math.max(1, Math.min(size, Math.max(this.#partBytes, Math.ceil(size / MAX_PARTS))));
  }

  async #putParts(first: Uint8Array<ArrayBuffer>[], put: PartsToPut): Promise<void> {
    const { url, parts, context } = put;
    const upload = await MultipartUpload.start(this.#bucket, { url, metadata: put.metadata }, context);
    try {
      for (let part = first.shift(); part !== undefined; part = first.shift()) await upload.put(part);
      for await (const part of parts) await upload.put(part);
      await upload.complete(put.condition);
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }
}

/** Returns the token of the next page of a list, or undefined after the last one. */
function readNextToken(text: string): string | undefined {
  return readElement(text, 'IsTruncated') === 'true' ? (readElement(text, 'NextContinuationToken') ?? '') : undefined;
}

interface PartsToPut {
  readonly url: URL;
  readonly parts: AsyncGenerator<Uint8Array<ArrayBuffer>, void>;
  readonly condition: HttpHeaders;
  readonly metadata: HttpHeaders;
  readonly context: BucketContext;
}

/** Returns the headers of a put that must replace an object, or none. Throws CHANGED for a version that no object in a bucket has. */
function toCondition({ replaces }: PutOptions, key: string): HttpHeaders {
  if (replaces === undefined) return {};
  if (replaces === null) return { 'if-none-match': '*' };
  const etag = etagOf(replaces);
  if (etag === undefined) throw toChangedError({ key });
  // Without quotes, as in the examples of AWS: radosgw 16 compares bare tags, and others accept both.
  return { 'if-match': etag.replaceAll('"', '') };
}

/** Returns CHANGED for the NOT_FOUND of an object that a put was to replace. */
function toChanged(error: unknown): unknown {
  const isMissing = error instanceof StorageError && error.code === 'NOT_FOUND';
  return isMissing ? toChangedError({ key: error.key, cause: error }) : error;
}
