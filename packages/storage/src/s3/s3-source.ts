import type { ByteRange, ByteSource, SourceStat, StatOptions } from '@htskit/io';
import { StorageError } from '@htskit/io';
import { Exchange } from '../http/exchange.js';
import type { HttpObject } from '../http/ranged-source.js';
import { RangedSource } from '../http/ranged-source.js';
import { isStrongEtag, type ReadHeader } from '../http/version.js';
import { Bucket, type S3Options } from './bucket.js';
import { toObjectUrl } from './object-url.js';
import { fromS3Refusal, noSuchBucket } from './refusal.js';

export interface PresignContext {
  readonly signal?: AbortSignal | undefined;
  /** As `stat` gave it: the URL leads to this version alone. */
  readonly version?: string | undefined;
}

/** Where clients find an object without credentials. */
export interface PresignedLocation {
  readonly url: string;
  /** Must be sent with the request, as they are. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface S3Source extends ByteSource {
  /**
   * A URL that anybody can GET the object with until it expires. It leads to the whole object: clients ask for `range`, and
   * for any other, by a `Range` header, which is not signed. Where the version is no longer there, it fails.
   */
  presign(range: ByteRange, context?: PresignContext): Promise<PresignedLocation>;
}

export interface S3SourceOptions extends S3Options {
  readonly key: string;
  /** How long a presigned URL can be used: at most 604,800, and no longer than temporary credentials. Default 3,600. */
  readonly presignSeconds?: number | undefined;
}

/** A week (AWS Signature Version 4, X-Amz-Expires). */
const MAX_PRESIGN_SECONDS = 604_800;
/** The entity-tag, and where the bucket keeps versions, the name of this one. */
const VERSION = /^("[^"]*")(?: (\S+))?$/;

/** A source of an object in a bucket. Its version is the entity-tag, and where the bucket keeps versions, the version id. */
export function s3Source(options: S3SourceOptions): S3Source {
  return sourceIn(new Bucket(options), options.key, options.presignSeconds);
}

export function sourceIn(bucket: Bucket, key: string, presignSeconds = 3600): S3Source {
  if (!Number.isSafeInteger(presignSeconds) || presignSeconds < 1 || presignSeconds > MAX_PRESIGN_SECONDS) {
    throw new RangeError(
      `presignSeconds must be a whole number from 1 to ${MAX_PRESIGN_SECONDS}, found ${presignSeconds}`,
    );
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
      etagOf: (version) => parseVersion(version)?.etag,
      readRefusal: fromS3Refusal,
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
      // The answer to HEAD does not tell which of them is missing.
      if (!(error instanceof StorageError) || error.code !== 'NOT_FOUND' || (await this.#bucket.exists())) throw error;
      throw noSuchBucket({ key: this.key });
    }
  }

  async presign(_range: ByteRange, { signal, version }: PresignContext = {}): Promise<PresignedLocation> {
    const url = new URL(this.#url);
    const headers: Record<string, string> = {};
    if (version !== undefined) {
      const { etag, versionId } = parseVersion(version) ?? {};
      if (etag === undefined) throw this.#changed();
      if (versionId !== undefined) url.searchParams.set('versionId', versionId);
      // Signed, so that the store refuses clients that leave it out.
      else headers['if-match'] = etag;
    }
    const { signer, transport } = this.#bucket;
    const sign = (): Promise<URL> => signer.presign(url, { headers, seconds: this.#presignSeconds });
    const signed = await Exchange.prepare(sign, { transport, key: this.key, signal });
    return {
      url: signed.href,
      ...(headers['if-match'] !== undefined && { headers: { 'If-Match': headers['if-match'] } }),
    };
  }

  #changed(): StorageError {
    return new StorageError('CHANGED', 'the object is not the version asked for', { key: this.key });
  }
}

function readS3Version(header: ReadHeader): string | undefined {
  const etag = header('etag');
  if (etag === null || !isStrongEtag(etag)) return undefined;
  const versionId = header('x-amz-version-id');
  // `null` is what is written while the bucket keeps no versions: it is written over.
  return versionId === null || versionId === '' || versionId === 'null' ? etag : `${etag} ${versionId}`;
}

function parseVersion(version: string): { readonly etag: string; readonly versionId: string | undefined } | undefined {
  const [, etag, versionId] = VERSION.exec(version) ?? [];
  return etag === undefined || !isStrongEtag(etag) ? undefined : { etag, versionId };
}
