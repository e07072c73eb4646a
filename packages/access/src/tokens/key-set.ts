import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { AuthError } from '../auth-error.js';
import { fetchJson } from '../fetch-json.js';

export interface KeySetOptions {
  /** Milliseconds since any fixed point in time. Default `performance.now`, which no change of the system's clock affects. */
  readonly now?: () => number;
}

const MAX_KEY_SET_BYTES = 1024 * 1024;
const KEY_SET_MILLISECONDS = 5000;
/** How long keys are cached, and the minimum age of the cache before an unknown key id makes it reload. */
const KEYS_KEPT_MILLISECONDS = 600_000;
const KEYS_FRESH_MILLISECONDS = 30_000;
/** After a failed request for the key set, others fail at once for this time, so that clients do not flood the issuer. */
const KEY_SET_FAILED_MILLISECONDS = 5000;

/**
 * Creates a finder of keys in a key set (RFC 7517). The set is fetched on first use, cached, and fetched again for an unknown
 * key. Rejects with AuthError UNAVAILABLE if it cannot be fetched, and with an error of jose if it has no such key.
 */
export function createKeyFinder(jwksUrl: string, options?: KeySetOptions): JWTVerifyGetKey {
  const keySet = new RemoteKeySet(jwksUrl, options);
  return async (header, token) => {
    try {
      return await keySet.find(header, token);
    } catch (error) {
      const isTokenFault =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isTokenFault) throw error;
      throw new AuthError('UNAVAILABLE', 'token verification is temporarily unavailable', { cause: error });
    }
  };
}

interface FetchedKeys {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** The key set at a URL. That of jose measures its age by the system's clock: set back two hours, it kept keys for two hours. */
class RemoteKeySet {
  readonly #url: string;
  readonly #now: () => number;
  #keys: FetchedKeys | undefined;
  #loading: Promise<FetchedKeys> | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;

  constructor(url: string, { now = () => performance.now() }: KeySetOptions = {}) {
    this.#url = url;
    this.#now = now;
  }

  async find(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
    const cached = this.#keys;
    const keys = cached !== undefined && this.#ageOf(cached) < KEYS_KEPT_MILLISECONDS ? cached : await this.#load();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#ageOf(keys) < KEYS_FRESH_MILLISECONDS) throw error;
      const reloaded = await this.#load();
      return reloaded.find(header, token);
    }
  }

  #ageOf({ fetchedAt }: FetchedKeys): number {
    return this.#now() - fetchedAt;
  }

  /** Concurrent callers share one request. */
  #load(): Promise<FetchedKeys> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #fetch(): Promise<FetchedKeys> {
    const failed = this.#failed;
    if (failed !== undefined && this.#now() - failed.at < KEY_SET_FAILED_MILLISECONDS) throw failed.error;
    try {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      const init = { headers, signal: AbortSignal.timeout(KEY_SET_MILLISECONDS) };
      const document = await fetchJson(this.#url, init, MAX_KEY_SET_BYTES);
      // The function checks the document itself.
      const find = createLocalJWKSet(document as JSONWebKeySet);
      this.#keys = { find, fetchedAt: this.#now() };
      this.#failed = undefined;
      return this.#keys;
    } catch (error) {
      this.#failed = { error, at: this.#now() };
      throw error;
    }
  }
}
