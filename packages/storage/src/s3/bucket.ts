import {
  createTransport,
  discardBody,
  type HttpHeaders,
  type HttpRequest,
  readBytes,
  sendRequest,
  type Transport,
  type TransportOptions,
  toServerError,
  withRetries,
} from '@htskit/http';
import { parseHttpUrl } from '@htskit/http/internal';
import { StorageError, toHex } from '@htskit/io';
import { type ReadRefusal, type StorageContext, withStorageErrors } from '../http/storage-failure.js';
import type { S3Credentials, S3CredentialsProvider } from './credentials.js';
import { fromS3Refusal, isExpired } from './s3-response.js';
import { Signer } from './signer.js';

export interface S3Location {
  readonly bucket: string;
  /** Default `us-east-1`. */
  readonly region?: string;
  /** Base URL of the service. Default: that of AWS for the region. */
  readonly endpoint?: string;
  /** Whether URLs name the bucket in the path rather than in the host. Default false. */
  readonly forcePathStyle?: boolean;
}

const DEFAULT_REGION = 'us-east-1';

/**
 * Returns the base URL of a bucket. Throws TypeError for an endpoint that is not an HTTP(S) URL without credentials, and for
 * a bucket that cannot be part of the host name.
 *
 * @example
 * toBucketUrl({ bucket: 'trio', region: 'eu-west-1' }).origin; // 'https://trio.s3.eu-west-1.amazonaws.com'
 */
export function toBucketUrl({ bucket, region = DEFAULT_REGION, endpoint, forcePathStyle = false }: S3Location): URL {
  const url = parseHttpUrl(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (url === undefined) {
    throw new TypeError('expected the endpoint to be an HTTP(S) URL without a user name or password');
  }
  // Both a host and a path can hold these characters, and none of them leads elsewhere.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) throw new TypeError('expected the name of a bucket');
  url.search = '';
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  const host = `${bucket}.${url.host}`;
  if (!forcePathStyle) url.host = host;
  // An IP address has no subdomains, and upper-case letters do not survive.
  if (!forcePathStyle && url.host !== host) {
    throw new TypeError('the bucket cannot be part of the host name; set forcePathStyle');
  }
  url.pathname = forcePathStyle ? `${path}/${bucket}/` : `${path}/`;
  return url;
}

/** Returns the URL of an object. Throws INVALID_KEY for keys that no URL can hold, such as those with a `..` segment. */
export function toObjectUrl(bucketUrl: URL, key: string): URL {
  const segments = key.split('/');
  if (key === '' || /\p{Surrogate}/u.test(key) || segments.some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('INVALID_KEY', 'the key cannot be part of a URL', { key });
  }
  const url = new URL(bucketUrl);
  // Not `new URL(path, base)`: a key that begins with slashes would become a host name.
  url.pathname += segments.map(encode).join('/');
  return url;
}

/** Encodes as signatures require: also what encodeURIComponent keeps beyond RFC 3986. */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export interface S3Options extends S3Location, Omit<TransportOptions, 'signal'> {
  /** Default: none, so that requests are not signed, as for public buckets. */
  readonly credentials?: S3Credentials | S3CredentialsProvider;
}

/** A request to a bucket. The URL includes path and query. */
export interface BucketRequest {
  readonly method: NonNullable<HttpRequest['method']>;
  readonly url: URL;
  readonly headers?: HttpHeaders;
  readonly body?: HttpRequest['body'];
}

export interface BucketContext extends Pick<StorageContext, 'key' | 'signal'> {
  /** Default: the option of the bucket. */
  readonly retries?: number;
}

export interface BucketResponse {
  readonly etag: string | null;
  /** XML. */
  readonly text: string;
}

/**
 * Bytes of a response: a page of a list has up to 1,000 keys of 1,024 bytes, each of which takes three characters, and some hundred
 * bytes about each key.
 */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Whether buckets exist, by URL. Shared by all sources, since each file of a service has a `Bucket` of its own. */
const existence = new Map<string, Promise<boolean | undefined>>();

/** A bucket of a store with the S3 API. */
export class Bucket {
  readonly url: URL;
  readonly transport: Transport;
  readonly signer: Signer;

  constructor(options: S3Options) {
    this.url = toBucketUrl(options);
    this.transport = createTransport({ ...options, signal: undefined });
    const { region = DEFAULT_REGION, credentials } = options;
    this.signer = new Signer({ region, credentials, now: this.transport.now });
  }

  /** Records that the bucket exists. */
  markSeen(): void {
    existence.set(this.url.href, Promise.resolve(true));
  }

  /** Returns whether the bucket exists, or true if the store does not say. Does not ask for a bucket that was seen. */
  async exists(): Promise<boolean> {
    const { href } = this.url;
    const pending = existence.get(href) ?? this.#requestExistence();
    existence.set(href, pending);
    const exists = await pending;
    // The bucket may be created, or the store be available again.
    if (exists !== true && existence.get(href) === pending) existence.delete(href);
    return exists ?? true;
  }

  /** Uses no caller's signal, since others wait for the same response. */
  async #requestExistence(): Promise<boolean | undefined> {
    try {
      const response = await sendRequest(this.transport, () => this.prepare({ method: 'HEAD', url: this.url }));
      await discardBody(response, this.transport);
      return response.status < 500 ? response.status !== 404 : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the reader of the refusals of one operation. If its credentials have expired, it is repeated once with others. */
  createReadRefusal(): ReadRefusal {
    let renew = this.signer.prepareRenewal();
    return (status, body, options) => {
      const error = fromS3Refusal(status, body, options);
      if (renew === undefined || !isExpired(body)) return error;
      renew();
      renew = undefined;
      return new StorageError('UNAVAILABLE', error.message, { ...options, isTransient: true });
    };
  }

  /** Returns the name of an object in caches. */
  cacheKey(key: string): string {
    return `s3:${this.url.href}${key}`;
  }

  /** Signs a request. Headers that are added after the signature may be changed by proxies. */
  async prepare(
    { method, url, headers = {}, body }: BucketRequest,
    unsignedHeaders: HttpHeaders = {},
  ): Promise<HttpRequest> {
    // A redirect leads to another region, whose name would be part of the signature.
    const request = { method, url: url.href, headers, body, followsRedirects: false };
    const signed = await this.signer.sign(request);
    return { ...signed, headers: { ...signed.headers, 'accept-encoding': 'identity', ...unsignedHeaders } };
  }

  /** Returns the response to an idempotent request, which is retried after transient failures. */
  async call(request: BucketRequest, context: BucketContext): Promise<BucketResponse> {
    const hash = await toSha256(request.body ?? '');
    const hashed = { ...request, headers: { ...request.headers, 'x-amz-content-sha256': hash } };
    const { key, signal, retries = this.transport.retries } = context;
    const storageContext = { key, signal, readRefusal: this.createReadRefusal() };
    return withStorageErrors({ ...this.transport, retries }, storageContext, (transport) =>
      withRetries(transport, () => this.#call(hashed, key, transport)),
    );
  }

  async #call(request: BucketRequest, key: string, transport: Transport): Promise<BucketResponse> {
    const response = await sendRequest(transport, () => this.prepare(request));
    const { status, headers } = response;
    if (status < 200 || status >= 300) throw await toServerError(response, transport);
    const text = new TextDecoder().decode(await readBytes(response, MAX_RESPONSE_BYTES, transport));
    // A slow response begins before its outcome is known: it can report an error despite its status.
    if (/<Error[\s>]/.test(text)) throw fromS3Refusal(status, text, { key });
    this.markSeen();
    return { etag: headers.get('etag'), text };
  }
}

async function toSha256(body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
