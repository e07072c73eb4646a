import type { HttpHeaders, HttpRequest } from '@htskit/http';
import type { Clock } from '@htskit/io';
import { AwsV4Signer } from 'aws4fetch';
import { CredentialsCache, type S3Credentials, type S3CredentialsProvider } from './credentials.js';

export interface SignerOptions extends Pick<Clock, 'now'> {
  readonly region: string;
  /** Undefined for requests that are not signed. */
  readonly credentials: S3Credentials | S3CredentialsProvider | undefined;
}

export interface PresignOptions {
  readonly headers: HttpHeaders;
  /** Seconds until the URL expires. */
  readonly seconds: number;
}

interface SignatureInput {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly signQuery?: boolean;
}

/** Signs requests by AWS Signature Version 4. */
export class Signer {
  readonly #options: SignerOptions;
  /** Signing keys of the last secret, which are valid for a day. */
  #keys: { readonly secret: string; readonly day: string; readonly cache: Map<string, ArrayBuffer> } | undefined;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /** Returns a function that replaces the credentials of now, if they can be replaced. */
  prepareRenewal(): (() => void) | undefined {
    const { credentials } = this.#options;
    if (typeof credentials !== 'function') return undefined;
    const cache = CredentialsCache.of(credentials);
    const { generation } = cache;
    return () => cache.replace(generation);
  }

  /** Returns the request with a signature of its headers and the SHA-256 of its body. */
  async sign(request: HttpRequest): Promise<HttpRequest> {
    const { method = 'GET', url, headers = {} } = request;
    const signer = await this.#signer({ method, url, headers });
    if (signer === undefined) return request;
    const signed = await signer.sign();
    return { ...request, headers: Object.fromEntries(signed.headers) };
  }

  /** Returns the URL with a signature for GET. Clients must send exactly these headers, and may send others. */
  async presign(url: URL, { headers, seconds }: PresignOptions): Promise<URL> {
    const expiring = new URL(url);
    if (this.#options.credentials !== undefined) expiring.searchParams.set('X-Amz-Expires', String(seconds));
    const signer = await this.#signer({ method: 'GET', url: expiring.href, headers, signQuery: true });
    return signer === undefined ? url : (await signer.sign()).url;
  }

  async #signer(input: SignatureInput): Promise<AwsV4Signer | undefined> {
    const { region, now } = this.#options;
    const credentials = await this.#credentials();
    if (credentials === undefined) return undefined;
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    // The error of `Headers` would quote them.
    if (![accessKeyId, sessionToken ?? ''].every(isPrintable)) {
      throw new Error('the credentials contain characters that no header can hold');
    }
    const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, '');
    const cache = this.#keysFor(secretAccessKey, datetime.slice(0, 8));
    const session = sessionToken === undefined ? {} : { sessionToken };
    return new AwsV4Signer({
      ...input,
      accessKeyId,
      secretAccessKey,
      ...session,
      service: 's3',
      region,
      datetime,
      cache,
    });
  }

  async #credentials(): Promise<S3Credentials | undefined> {
    const { credentials, now } = this.#options;
    return typeof credentials === 'function' ? CredentialsCache.of(credentials).get(now()) : credentials;
  }

  #keysFor(secret: string, day: string): Map<string, ArrayBuffer> {
    if (this.#keys?.secret !== secret || this.#keys.day !== day) this.#keys = { secret, day, cache: new Map() };
    return this.#keys.cache;
  }
}

function isPrintable(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
