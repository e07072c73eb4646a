import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { AuthError } from './auth-error.js';
import { fetchJson } from './fetch-json.js';

const MAX_KEY_SET_BYTES = 1024 * 1024;
const KEY_SET_MILLISECONDS = 5000;
/** How long keys are kept, and how long an unknown key id waits after the set was last read. */
const KEYS_KEPT_MILLISECONDS = 600_000;
const KEYS_FRESH_MILLISECONDS = 30_000;
/** How long a key set that could not be read is not asked for again. */
const KEY_SET_FAILED_MILLISECONDS = 5000;

/**
 * Finds the key of a token in a key set (RFC 7517), which is fetched when it is first needed, kept, and fetched again for a
 * key that it lacks. Rejects with AuthError UNAVAILABLE where it cannot be had, and as jose does where it has no such key.
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
      const isOfToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isOfToken) throw error;
      throw new AuthError('UNAVAILABLE', 'the keys of tokens cannot be had for the moment', { cause: error });
    }
  };
}

const keySetShape = z.object({ keys: z.array(z.looseObject({})) });

/** Fails without asking for some seconds after a failure: what clients send must not become a flood there. */
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
