import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { AuthError } from '../auth-error.js';
import { checkHttpUrl } from '../fetch-json.js';
import type { Bearer } from '../policy.js';
import { createKeyFinder, type KeySetOptions } from './key-set.js';

/** The signature algorithms that may be accepted. All are asymmetric: a reader of the key set must not be able to sign. */
export const SIGNATURE_ALGORITHMS = [
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

export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/** The maximum length of a token. Node rejects headers of that length anyway. */
export const MAX_TOKEN_CHARACTERS = 16_384;

/** How bearer tokens are verified. */
export interface TokenOptions {
  /** The URL of the public keys of the issuer (RFC 7517). */
  readonly jwksUrl: string;
  /** The accepted values of the claim `iss`. */
  readonly issuer: string | readonly string[];
  /** The accepted values of the claim `aud`. */
  readonly audience: string | readonly string[];
  /** The tolerated clock skew in seconds. Default 60. */
  readonly clockSkewSeconds?: number;
  /** The accepted signature algorithms. Default: all of `SIGNATURE_ALGORITHMS`. */
  readonly algorithms?: readonly SignatureAlgorithm[];
}

/**
 * Verifies an Authorization header. Rejects with AuthError: UNAUTHENTICATED without a valid token, FORBIDDEN if the token lacks
 * the scope, and UNAVAILABLE if the keys of the issuer cannot be fetched.
 */
export type TokenVerifier = (authorization: string | null, scope: string | undefined) => Promise<Bearer>;

/**
 * Creates a verifier of bearer tokens (RFC 6750, RFC 7519). The keys of the issuer are fetched on first use. Throws RangeError for
 * options that would accept any token.
 */
export function createTokenVerifier(options: TokenOptions, keySetOptions?: KeySetOptions): TokenVerifier {
  checkTokenOptions(options);
  const { issuer, audience, algorithms = SIGNATURE_ALGORITHMS, clockSkewSeconds = 60, jwksUrl } = options;
  const verifyOptions: JWTVerifyOptions = {
    issuer: [issuer].flat(),
    audience: [audience].flat(),
    algorithms: [...algorithms],
    clockTolerance: clockSkewSeconds,
    // A token without an expiry would be valid forever.
    requiredClaims: ['exp'],
  };
  const findKey = createKeyFinder(jwksUrl, keySetOptions);
  return async (authorization, scope) => {
    const token = parseBearer(authorization);
    if (token === undefined) throw unauthenticated(scope);
    const bearer = await verify(token, findKey, verifyOptions);
    if (scope !== undefined && !hasScope(bearer.claims, scope)) throw lacksScope(scope);
    return bearer;
  };
}

/** jose checks neither the issuer nor the audience if there is none to compare it with. */
function checkTokenOptions({ jwksUrl, issuer, audience, algorithms = [] }: TokenOptions): void {
  checkHttpUrl('jwksUrl', jwksUrl);
  for (const [name, values] of Object.entries({ issuer, audience })) {
    const isNamed = [values].flat().every((value) => typeof value === 'string' && value !== '');
    if (!isNamed || values?.length === 0) throw new RangeError(`${name} must be a name or a list of names`);
  }
  const unknown = algorithms.find((algorithm) => !SIGNATURE_ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) throw new RangeError(`the algorithm "${unknown}" is not asymmetric`);
}

/** The compact serialization of a signed token (RFC 7515 §7.1). Decoders would ignore white space. */
export const COMPACT: RegExp = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Parses the header (RFC 6750 §2.1). Returns undefined if it is missing or of another scheme. */
export function parseBearer(authorization: string | null): string | undefined {
  const match = /^bearer(?: +(.*))?$/i.exec(authorization ?? '');
  return match === null ? undefined : (match[1] ?? '');
}

async function verify(token: string, findKey: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<Bearer> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw invalidToken('the token is too long');
  if (!COMPACT.test(token)) throw invalidToken('the token is not valid');
  try {
    const { payload } = await jwtVerify(token, findKey, options);
    return { token, claims: payload, subject: payload.sub };
  } catch (error) {
    throw toAuthError(error);
  }
}

/** Returns the error of a token that jose did not verify. */
export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  // The error is not the cause, since it contains the claims.
  if (error instanceof errors.JOSEError) return invalidToken(describeFault(error));
  // The error of jose for a key of the set that is too short, for example.
  if (error instanceof TypeError) return invalidToken('the key of the token is not accepted');
  return new AuthError('UNAVAILABLE', 'token verification is temporarily unavailable', { cause: error });
}

/** Describes the fault without values of the token: only the names of the claims that this service checks. */
function describeFault(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} of the token is not accepted`;
  return 'the token is not valid';
}

/** Returns the error of a token that is not accepted. The description must not have a value of the token. */
export function invalidToken(description: string): AuthError {
  const challenge = `Bearer error="invalid_token", error_description="${description}"`;
  return new AuthError('UNAUTHENTICATED', description, { challenge });
}

/** Returns the error of a request without a token. */
export function unauthenticated(scope: string | undefined): AuthError {
  const challenge = scope === undefined ? 'Bearer' : `Bearer scope="${scope}"`;
  return new AuthError('UNAUTHENTICATED', 'a valid bearer token is required', { challenge });
}

/** Returns the error of a token without a scope. */
export function lacksScope(scope: string): AuthError {
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return new AuthError('FORBIDDEN', `the token lacks the scope ${scope}`, { challenge });
}

/** Returns whether a scope is in `scope` (RFC 8693 §4.2) or `scp`. Either may be a list or a space-separated string. */
export function hasScope(claims: JWTPayload, wanted: string): boolean {
  return [claims['scope'], claims['scp']].some((scopes) => {
    const list = typeof scopes === 'string' ? scopes.split(' ') : scopes;
    return Array.isArray(list) && (list as unknown[]).includes(wanted);
  });
}
