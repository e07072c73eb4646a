import type { HttpHeaders, HttpRequest } from '@htskit/http';
import type { Clock } from '@htskit/io';
import { AwsV4Signer } from 'aws4fetch';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Returns the current credentials. Called for each request, so that it should cache those that it fetches. */
export type S3CredentialsProvider = () => S3Credentials | Promise<S3Credentials>;

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
    const { credentials, region, now } = this.#options;
    if (credentials === undefined) return undefined;
    const { sessionToken, ...keys } = typeof credentials === 'function' ? await credentials() : credentials;
    // The error of `Headers` would quote them.
    if (![keys.accessKeyId, sessionToken ?? ''].every(isPrintable)) {
      throw new Error('the credentials contain characters that no header can hold');
    }
    const datetime = new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, '');
    const cache = this.#keysFor(keys.secretAccessKey, datetime.slice(0, 8));
    const session = sessionToken === undefined ? {} : { sessionToken };
    return new AwsV4Signer({ ...input, ...keys, ...session, service: 's3', region, datetime, cache });
  }

  #keysFor(secret: string, day: string): Map<string, ArrayBuffer> {
    if (this.#keys?.secret !== secret || this.#keys.day !== day) this.#keys = { secret, day, cache: new Map() };
    return this.#keys.cache;
  }
}

function isPrintable(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
