import { LruCache } from '@htskit/io';
import type { JWTPayload } from 'jose';
import { AuthError } from '../auth-error.js';
import { checkHttpUrl, fetchJson, StatusError } from '../fetch-json.js';
import { hashOf } from '../token-hash.js';
import { invalidToken } from '../tokens/bearer-token.js';

const MAX_BYTES = 2 ** 20;
const TIMEOUT_MILLISECONDS = 5000;

/** A token is not polled more than once per hour (AAI OIDC Profile 1.2, "Access Token Polling"). */
const CACHE_MILLISECONDS = 3_600_000;

/** After a failure, requests with the same token fail at once for this time. */
const FAILED_MILLISECONDS = 5000;
const MAX_FAILED_TOKENS = 10_000;

/** The maximum number of visas that are cached: some ten megabytes. */
const MAX_CACHED_VISAS = 10_000;

/** The UserInfo endpoint of an issuer (OpenID Connect Core 1.0 §5.3). It is asked once for the visas of each token. */
export class UserInfo {
  readonly #url: string;
  readonly #cache: LruCache<readonly unknown[]>;
  readonly #failed: LruCache<AuthError>;

  /** Throws RangeError for a URL that is not one. */
  constructor(url: string, { now }: { readonly now?: (() => number) | undefined } = {}) {
    checkHttpUrl('userinfoUrl', url);
    this.#url = url;
    this.#cache = new LruCache({ maxWeight: MAX_CACHED_VISAS, ttlMilliseconds: CACHE_MILLISECONDS, now });
    this.#failed = new LruCache({ maxWeight: MAX_FAILED_TOKENS, ttlMilliseconds: FAILED_MILLISECONDS, now });
  }

  /**
   * Returns the visas of the bearer of a verified token. Rejects with AuthError: UNAUTHENTICATED if the issuer does not accept the
   * token any more, and UNAVAILABLE if it does not answer.
   */
  async visasOf(token: string, { sub }: JWTPayload): Promise<readonly unknown[]> {
    const key = await hashOf(token);
    const failure = this.#failed.get(key);
    if (failure !== undefined) throw failure;
    return this.#cache.load(key, async () => {
      try {
        const visas = await this.#ask(token, sub);
        return { value: visas, weight: 1 + visas.length };
      } catch (error) {
        const failed = toFailure(error);
        this.#failed.set(key, failed, 1);
        throw failed;
      }
    });
  }

  async #ask(token: string, sub: string | undefined): Promise<readonly unknown[]> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const init = { headers, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) };
    const claims = Object(await fetchJson(this.#url, init, MAX_BYTES)) as Readonly<Record<string, unknown>>;
    const { sub: subject, ga4gh_passport_v1: visas = [] } = claims;
    // OpenID Connect Core 1.0 §5.3.2: otherwise the response is that of another person.
    if (subject === undefined || subject !== sub || !Array.isArray(visas)) throw new TypeError('unexpected claims');
    return visas as readonly unknown[];
  }
}

function toFailure(error: unknown): AuthError {
  if (error instanceof StatusError && error.status === 401) return invalidToken('the issuer does not accept the token');
  return new AuthError('UNAVAILABLE', 'the visas of the token are temporarily unavailable', { cause: error });
}
