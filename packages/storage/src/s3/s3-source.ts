import type { HttpHeaders } from '@htskit/http';
import { isStrongEntityTag, prepareRequest } from '@htskit/http/internal';
import type { ByteRange, ByteSource, SourceStat, StatOptions } from '@htskit/io';
import { StorageError } from '@htskit/io';
import { decodeOrigin, encodeOrigin, ORIGIN_NAME } from '../bucket/origin.js';
import { type HttpObject, RangedSource } from '../http/ranged-source.js';
import { toChangedError, withStorageErrors } from '../http/storage-failure.js';
import { Bucket, type S3Options, toObjectUrl } from './bucket.js';
import { noSuchBucket } from './s3-response.js';

export interface PresignContext {
  readonly signal?: AbortSignal;
  /** The version that `stat` returned: the URL leads to this version only. */
  readonly version?: string;
}

/** A location where clients find an object without credentials. */
export interface PresignedLocation {
  readonly url: string;
  /** Clients must send these headers unchanged. */
  readonly headers?: HttpHeaders;
}

export interface S3Source extends ByteSource {
  /**
   * Returns a URL with which anybody can GET the object until it expires. It leads to the whole object: clients request
   * `range`, or any other, by a `Range` header, which is not signed. It fails once the version is gone.
   */
  presign(range: ByteRange, context?: PresignContext): Promise<PresignedLocation>;
}

export interface S3SourceOptions extends S3Options {
  readonly key: string;
  /** Lifetime of presigned URLs: at most 604,800, and no longer than temporary credentials. Default 3,600. */
  readonly presignSeconds?: number;
}

/** A week (AWS Signature Version 4, X-Amz-Expires). */
const MAX_PRESIGN_SECONDS = 604_800;
/** The entity tag, followed by the version id if the bucket keeps versions. */
const VERSION = /^("[^"]*")(?: (\S+))?$/;

/**
 * Returns a source of an object in a bucket. Its version is the entity tag, followed by the version id if the bucket keeps
 * versions. Throws TypeError for an invalid endpoint or bucket, RangeError for an invalid number, and `StorageError`
 * INVALID_KEY.
 *
 * @example
 * const source = s3Source({ bucket: 'cohort', region: 'eu-central-1', key: 'reads/HG002.bam' });
 * const { size, version } = await source.stat();
 */
export function s3Source(options: S3SourceOptions): S3Source {
  return sourceIn(new Bucket(options), options.key, options.presignSeconds);
}

/** Returns a source of an object in a bucket that is already open. */
export function sourceIn(bucket: Bucket, key: string, presignSeconds = 3600): S3Source {
  if (!Number.isSafeInteger(presignSeconds) || presignSeconds < 1 || presignSeconds > MAX_PRESIGN_SECONDS) {
    throw new RangeError(`presignSeconds must be an integer from 1 to ${MAX_PRESIGN_SECONDS}, found ${presignSeconds}`);
  }
  return new BucketSource(bucket, { key, presignSeconds });
}

class BucketSource extends RangedSource implements S3Source {
  readonly #bucket: Bucket;
  readonly #url: URL;
  readonly #presignSeconds: number;

  constructor(bucket: Bucket, { key, presignSeconds }: { readonly key: string; readonly presignSeconds: number }) {
    const url = toObjectUrl(bucket.url, key);
    const object: HttpObject = {
      key: bucket.cacheKey(key),
      request: (method, headers) => bucket.prepare({ method, url }, headers),
      version: readS3Version,
      origin: readOrigin,
      etagOf,
      createReadRefusal: () => bucket.createReadRefusal(),
    };
    super(object, bucket.transport);
    this.#bucket = bucket;
    this.#url = url;
    this.#presignSeconds = presignSeconds;
  }

  override async stat(options: StatOptions = {}): Promise<SourceStat> {
    try {
      const stat = await super.stat(options);
      this.#bucket.markSeen();
      return stat;
    } catch (error) {
      // The response to HEAD does not distinguish a missing object from a missing bucket.
      if (!(error instanceof StorageError) || error.code !== 'NOT_FOUND' || (await this.#bucket.exists())) throw error;
      throw noSuchBucket({ key: this.key });
    }
  }

  async presign(_range: ByteRange, { signal, version }: PresignContext = {}): Promise<PresignedLocation> {
    const url = new URL(this.#url);
    const headers: Record<string, string> = {};
    if (version !== undefined) {
      const { etag, versionId } = parseVersion(version) ?? {};
      if (etag === undefined) throw toChangedError({ key: this.key });
      if (versionId !== undefined) url.searchParams.set('versionId', versionId);
      // Signed, so that the store refuses clients that omit it.
      else headers['if-match'] = etag;
    }
    const { signer, transport } = this.#bucket;
    const sign = (): Promise<URL> => signer.presign(url, { headers, seconds: this.#presignSeconds });
    const context = { key: this.key, signal };
    const signed = await withStorageErrors(transport, context, (storage) => prepareRequest(storage, sign));
    return {
      url: signed.href,
      ...(headers['if-match'] !== undefined && { headers: { 'If-Match': headers['if-match'] } }),
    };
  }
}

function readS3Version(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  if (etag === null || !isStrongEntityTag(etag)) return undefined;
  const versionId = headers.get('x-amz-version-id');
  // `null` marks what is written while versioning is off or suspended: the next such object replaces it.
  return versionId === null || versionId === '' || versionId === 'null' ? etag : `${etag} ${versionId}`;
}

/** The header of the metadata. */
const ORIGIN = `x-amz-meta-${ORIGIN_NAME}`;

/** Returns the metadata of an object that is made of a version of another. */
export function originHeaders(version: string | undefined): HttpHeaders {
  return version === undefined ? {} : { [ORIGIN]: encodeOrigin(version) };
}

function readOrigin(headers: Headers): string | undefined {
  return decodeOrigin(headers.get(ORIGIN));
}

/** Returns the entity tag of a version, or undefined if there is none. */
export function etagOf(version: string): string | undefined {
  return parseVersion(version)?.etag;
}

function parseVersion(version: string): { readonly etag: string; readonly versionId: string | undefined } | undefined {
  const [, etag, versionId] = VERSION.exec(version) ?? [];
  return etag === undefined || !isStrongEntityTag(etag) ? undefined : { etag, versionId };
}
