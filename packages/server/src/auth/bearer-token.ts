import { errors, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { z } from 'zod';
import { httpUrl } from './fetch-json.js';
import { createKeyFinder, type KeySetOptions } from './key-set.js';
import { AuthError, type Bearer } from './policy.js';

/** Asymmetric algorithms only: a reader of the key set must not be able to sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** The maximum length of a token. Node rejects headers of that length anyway. */
const MAX_TOKEN_CHARACTERS = 16_384;

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'expected a string or a list of strings');

export const jwtSection = z.strictObject({
  jwksUrl: httpUrl.describe('The URL of the public keys of the issuer (RFC 7517).'),
  issuer: names.describe('The accepted values of the claim iss.'),
  audience: names.describe('The accepted values of the claim aud.'),
  clockSkewSeconds: z.number().min(0).max(600).default(60).describe('The tolerated clock skew in seconds.'),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default([...ALGORITHMS])
    .describe('The accepted signature algorithms; all are asymmetric.'),
});

/** How bearer tokens are verified. */
export type JwtSection = z.infer<typeof jwtSection>;

/**
 * Verifies an Authorization header. Rejects with AuthError: UNAUTHENTICATED without a valid token, FORBIDDEN if the token lacks
 * the scope, and UNAVAILABLE if the keys of the issuer cannot be fetched.
 */
export type TokenVerifier = (authorization: string | null, scope: string | undefined) => Promise<Bearer>;

/** Creates a verifier of bearer tokens (RFC 6750, RFC 7519). The keys of the issuer are fetched on first use. */
export function createTokenVerifier(section: JwtSection, keySetOptions?: KeySetOptions): TokenVerifier {
  const options: JWTVerifyOptions & { algorithms: string[] } = {
    issuer: section.issuer,
    audience: section.audience,
    algorithms: section.algorithms,
    clockTolerance: section.clockSkewSeconds,
    // A token without an expiry would be valid forever.
    requiredClaims: ['exp'],
  };
  const findKey = createKeyFinder(section.jwksUrl, keySetOptions);
  return async (authorization, scope) => {
    const token = parseBearer(authorization);
    if (token === undefined) throw unauthenticated(scope === undefined ? undefined : `scope="${scope}"`);
    const bearer = await verify(token, findKey, options);
    if (scope !== undefined && !scopesOf(bearer).includes(scope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      throw new AuthError('FORBIDDEN', `the token lacks the scope ${scope}`, { challenge });
    }
    return bearer;
  };
}

/** The compact serialization of a signed token (RFC 7515 §7.1). Decoders would ignore white space. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Parses the header (RFC 6750 §2.1). Returns undefined if it is missing or of another scheme. */
function parseBearer(authorization: string | null): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(authorization ?? '');
  return match === null ? undefined : (match[1] ?? '');
}

async function verify(token: string, findKey: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<Bearer> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw invalidToken('the token is too long');
  if (!COMPACT.test(token)) throw invalidToken('the token is not valid');
  try {
    const { payload } = await jwtVerify(token, findKey, options);
    return { token, claims: payload };
  } catch (error) {
    if (error instanceof AuthError) throw error;
    // The error is not the cause, since it contains the claims.
    if (error instanceof errors.JOSEError) throw invalidToken(describeFault(error));
    // The error of jose for a key of the set that is too short, for example.
    if (error instanceof TypeError) throw invalidToken('the key of the token is not accepted');
    throw new AuthError('UNAVAILABLE', 'token verification is temporarily unavailable', { cause: error });
  }
}

/** Describes the fault without values of the token: only the names of the claims that this service checks. */
function describeFault(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} of the token is not accepted`;
  return 'the token is not valid';
}

function invalidToken(description: string): AuthError {
  return unauthenticated(`error="invalid_token", error_description="${description}"`, description);
}

function unauthenticated(parameters?: string, message = 'a valid bearer token is required'): AuthError {
  const challenge = parameters === undefined ? 'Bearer' : `Bearer ${parameters}`;
  return new AuthError('UNAUTHENTICATED', message, { challenge });
}

/** Returns the scopes of `scope` (RFC 8693 §4.2) and `scp`. Either may be a list or a space-separated string. */
function scopesOf({ claims }: Bearer): readonly unknown[] {
  return [claims['scope'], claims['scp']].flatMap((scopes) =>
    typeof scopes === 'string' ? scopes.split(' ') : Array.isArray(scopes) ? (scopes as unknown[]) : [],
  );
}
