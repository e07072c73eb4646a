export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to temporary credentials. */
  readonly sessionToken?: string;
  /** When temporary credentials become invalid. Default: unknown, so that they are requested anew for each request. */
  readonly expiration?: Date;
}

/**
 * Returns the current credentials. Those with an `expiration` are cached for all sources with the same function, and replaced
 * five minutes before; others are requested for each request. `forceRefresh` asks for others than before: the store says that
 * those have expired. The providers of the AWS SDK for JavaScript (version 3) are such functions.
 */
export type S3CredentialsProvider = (options?: {
  readonly forceRefresh?: boolean;
}) => S3Credentials | Promise<S3Credentials>;

/** How long before they expire credentials are replaced. AWS provides new ones five minutes before. */
const REFRESH_MILLISECONDS = 300_000;
/** The minimum time between two attempts to replace credentials that are still valid. */
const RETRY_MILLISECONDS = 10_000;

const caches = new WeakMap<S3CredentialsProvider, CredentialsCache>();

/** Caches the credentials of a provider until shortly before they expire. Concurrent callers share one request. */
export class CredentialsCache {
  readonly #provider: S3CredentialsProvider;
  #cached: S3Credentials | undefined;
  #loading: Promise<S3Credentials> | undefined;
  #loadCount = 0;
  /** When it was last attempted to replace credentials that are still valid. */
  #triedAt = Number.NEGATIVE_INFINITY;

  private constructor(provider: S3CredentialsProvider) {
    this.#provider = provider;
  }

  /** Returns the cache of a provider, which all sources share: each file of a service has a signer of its own. */
  static of(provider: S3CredentialsProvider): CredentialsCache {
    const cache = caches.get(provider) ?? new CredentialsCache(provider);
    caches.set(provider, cache);
    return cache;
  }

  /** Identifies the credentials that the next call of `get` returns. */
  get generation(): number {
    return this.#cached === undefined ? this.#loadCount + 1 : this.#loadCount;
  }

  /** Returns credentials that are valid at `now`, in milliseconds since 1970. Throws what the provider throws. */
  async get(now: number): Promise<S3Credentials> {
    const cached = this.#cached;
    const expires = cached?.expiration?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (cached === undefined || now >= expires) return this.#load({});
    // A time of the last attempt that is yet to come is from before the system's clock was set back.
    const isRetryDue = now >= this.#triedAt + RETRY_MILLISECONDS || now < this.#triedAt;
    if (now >= expires - REFRESH_MILLISECONDS && isRetryDue) {
      this.#triedAt = now;
      // The old ones are valid until the end: if replacing them fails, the next attempt may succeed.
      this.#load({}).catch(() => undefined);
    }
    return cached;
  }

  /** Replaces credentials that the store has refused as expired, unless another operation has replaced them already. */
  replace(generation: number): void {
    if (this.#loadCount > generation) return;
    this.#cached = undefined;
    // The next call of `get` waits for it, or tries again.
    this.#load({ forceRefresh: true }).catch(() => undefined);
  }

  #load(options: CredentialsRequest): Promise<S3Credentials> {
    this.#loading ??= this.#request(options).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #request(options: CredentialsRequest): Promise<S3Credentials> {
    const credentials = await this.#provider(options);
    this.#cached = credentials.expiration === undefined ? undefined : credentials;
    this.#loadCount++;
    return credentials;
  }
}

type CredentialsRequest = NonNullable<Parameters<S3CredentialsProvider>[0]>;
