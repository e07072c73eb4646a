import { AwsV4Signer } from 'aws4fetch';
import type { Clock } from '../http/clock.js';
import type { HttpRequest } from '../http/redirects.js';
import type { S3Credentials, S3CredentialsProvider } from './credentials.js';

export interface SignerOptions {
  readonly region: string;
  /** Undefined for requests that are not signed. */
  readonly credentials: S3Credentials | S3CredentialsProvider | undefined;
  readonly clock: Clock;
}

/** Signs requests by AWS Signature Version 4. */
export class Signer {
  readonly #options: SignerOptions;
  /** Keys that signatures are made with, which hold for a day, of the secret that was used last. */
  #keys: { readonly secret: string; readonly day: string; readonly cache: Map<string, ArrayBuffer> } | undefined;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /** The request with a signature of its headers and the SHA-256 of its body. */
  async sign(request: HttpRequest): Promise<HttpRequest> {
    const signer = await this.#signer({ method: request.method, url: request.url.href, headers: request.headers });
    if (signer === undefined) return request;
    const { headers } = await signer.sign();
    return { ...request, headers: Object.fromEntries(headers) };
  }

  /** The URL with a signature, for GET; clients must send the headers as they are here, and may send others. */
  async presign(url: URL, { headers, seconds }: PresignOptions): Promise<URL> {
    const expiring = new URL(url);
    if (this.#options.credentials !== undefined) expiring.searchParams.set('X-Amz-Expires', String(seconds));
    const signer = await this.#signer({ method: 'GET', url: expiring.href, headers, signQuery: true });
    return signer === undefined ? url : (await signer.sign()).url;
  }

  async #signer(request: ToSign): Promise<AwsV4Signer | undefined> {
    const { credentials, region, clock } = this.#options;
    if (credentials === undefined) return undefined;
    const { sessionToken, ...keys } = typeof credentials === 'function' ? await credentials() : credentials;
    // What makes a header of them would quote what cannot be in one.
    if (![keys.accessKeyId, sessionToken ?? ''].every(isPrintable)) throw new Error('the credentials are none');
    const datetime = new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, '');
    const cache = this.#keysFor(keys.secretAccessKey, datetime.slice(0, 8));
    const session = sessionToken === undefined ? {} : { sessionToken };
    return new AwsV4Signer({ ...request, ...keys, ...session, service: 's3', region, datetime, cache });
  }

  #keysFor(secret: string, day: string): Map<string, ArrayBuffer> {
    if (this.#keys?.secret !== secret || this.#keys.day !== day) this.#keys = { secret, day, cache: new Map() };
    return this.#keys.cache;
  }
}

export interface PresignOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** From now until the URL expires. */
  readonly seconds: number;
}

interface ToSign {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signQuery?: boolean;
}

function isPrintable(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
