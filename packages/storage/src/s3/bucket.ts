import { Exchange } from '../http/exchange.js';
import type { HttpRequest } from '../http/redirects.js';
import { withRetries } from '../http/retries.js';
import { type HttpOptions, type Transport, toTransport } from '../http/transport.js';
import type { S3Credentials, S3CredentialsProvider } from './credentials.js';
import { DEFAULT_REGION, type S3Location, toBucketUrl } from './object-url.js';
import { fromS3Refusal } from './refusal.js';
import { Signer } from './signer.js';

export interface S3Options extends S3Location, HttpOptions {
  /** Default: none, so that requests are not signed, as public buckets take them. */
  readonly credentials?: S3Credentials | S3CredentialsProvider | undefined;
}

/** A request to a bucket: the path and query are part of the URL. */
export interface BucketRequest extends Pick<HttpRequest, 'method' | 'url' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BucketContext {
  /** Of the object, for errors. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  /** Default: those of the bucket. */
  readonly attempts?: number;
}

export interface BucketAnswer {
  readonly etag: string | null;
  /** XML. */
  readonly text: string;
}

/** Bytes of an answer: a page of a list has at most 1,000 keys of 1,024 characters, and some hundred bytes about each. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Whether buckets are there, by their URLs: each file of a service is a source with a `Bucket` of its own. */
const existence = new Map<string, Promise<boolean | undefined>>();

/** A bucket of a store with the API of S3. */
export class Bucket {
  readonly url: URL;
  readonly transport: Transport;
  readonly signer: Signer;

  constructor(options: S3Options) {
    this.url = toBucketUrl(options);
    this.transport = toTransport(options);
    const { region = DEFAULT_REGION, credentials } = options;
    this.signer = new Signer({ region, credentials, clock: this.transport.clock });
  }

  /** Tells that the store has the bucket. */
  markSeen(): void {
    existence.set(this.url.href, Promise.resolve(true));
  }

  /** Whether the store has the bucket; true where it does not say. One that was seen is not asked for. */
  async exists(): Promise<boolean> {
    const { href } = this.url;
    const asked = existence.get(href) ?? this.#askExistence();
    existence.set(href, asked);
    const exists = await asked;
    // It may be made, or the store be there again.
    if (exists !== true && existence.get(href) === asked) existence.delete(href);
    return exists ?? true;
  }

  /** For all who wait for the answer: so no signal of one of them ends it. */
  async #askExistence(): Promise<boolean | undefined> {
    const context = { transport: this.transport, key: this.url.href, signal: undefined };
    try {
      const exchange = await Exchange.start(() => this.prepare({ method: 'HEAD', url: this.url }), context);
      await exchange.discard();
      return exchange.status < 500 ? exchange.status !== 404 : undefined;
    } catch {
      return undefined;
    }
  }

  /** Identifies an object in caches. */
  cacheKey(key: string): string {
    return `s3:${this.url.href}${key}`;
  }

  /** What is sent; headers that are added behind the signature may be changed by proxies. */
  async prepare(
    { headers = {}, ...request }: BucketRequest,
    unsignedHeaders: Readonly<Record<string, string>> = {},
  ): Promise<HttpRequest> {
    // A redirect leads to another region, whose name the signature would need.
    const signed = await this.signer.sign({ ...request, headers, maxRedirects: 0 });
    return { ...signed, headers: { ...signed.headers, 'accept-encoding': 'identity', ...unsignedHeaders } };
  }

  /** The answer to a request that may be made twice: it is, where it fails for now. */
  async call(request: BucketRequest, context: BucketContext): Promise<BucketAnswer> {
    const hash = await toSha256(request.body ?? '');
    const headers = { ...request.headers, 'x-amz-content-sha256': hash };
    const { attempts = this.transport.attempts } = context;
    return withRetries({ ...this.transport, attempts }, context, () => this.#call({ ...request, headers }, context));
  }

  async #call(request: BucketRequest, context: BucketContext): Promise<BucketAnswer> {
    const exchange = await Exchange.start(() => this.prepare(request), { ...context, transport: this.transport });
    try {
      const { status } = exchange;
      if (status < 200 || status >= 300) throw await exchange.refusal(fromS3Refusal);
      const text = await exchange.text(MAX_ANSWER_BYTES);
      // An answer that takes long begins before its outcome is known: then it is an error in spite of its status.
      if (/<Error[\s>]/.test(text)) throw fromS3Refusal(status, text, { key: context.key });
      this.markSeen();
      return { etag: exchange.header('etag'), text };
    } finally {
      exchange.end();
    }
  }
}

async function toSha256(body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
