import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { AuthError } from './auth-error.js';
import { fetchJson } from './fetch-json.js';

const MAX_KEY_SET_BYTES = 1024 * 1024;
const KEY_SET_MILLISECONDS = 5000;
/** How long keys are cached, and the minimum age of the cache before an unknown key id makes it reload. */
const KEYS_KEPT_MILLISECONDS = 600_000;
const KEYS_FRESH_MILLISECONDS = 30_000;
/** The time between a failed request for the key set and the next one. */
const KEY_SET_FAILED_MILLISECONDS = 5000;

/**
 * Creates a finder of keys in a key set (RFC 7517). The set is fetched on first use, cached, and fetched again for an unknown
 * key. Rejects with AuthError UNAVAILABLE if it cannot be fetched, and with an error of jose if it has no such key.
 */
export function createKeyFinder(jwksUrl: string): JWTVerifyGetKey {
  const keySet = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: KEY_SET_MILLISECONDS,
    cacheMaxAge: KEYS_KEPT_MILLISECONDS,
    cooldownDuration: KEYS_FRESH_MILLISECONDS,
    [customFetch]: createKeySetFetch(),
  });
  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      const isTokenFault =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isTokenFault) throw error;
      throw new AuthError('UNAVAILABLE', 'token verification is temporarily unavailable', { cause: error });
    }
  };
}

const keySetShape = z.object({ keys: z.array(z.looseObject({})) });

/** After a failure, fails at once for some seconds, so that requests of clients do not flood the issuer. */
function createKeySetFetch(): FetchImplementation {
  let failure: unknown;
  let failedUntil = 0;
  return async (url, { method, headers, signal }) => {
    if (Date.now() < failedUntil) throw failure;
    try {
      const document = await fetchJson(url, { method, headers, signal }, MAX_KEY_SET_BYTES);
      return Response.json(keySetShape.parse(document));
    } catch (error) {
      failure = error;
      failedUntil = Date.now() + KEY_SET_FAILED_MILLISECONDS;
      throw error;
    }
  };
}
