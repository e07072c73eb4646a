import { decodeJwt, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AuthError } from '../auth-error.js';
import { checkHttpUrl } from '../fetch-json.js';
import { COMPACT, MAX_TOKEN_CHARACTERS } from '../tokens/bearer-token.js';
import { createKeyFinder, type KeySetOptions } from '../tokens/key-set.js';
import { type ConditionalVisa, parseVisa } from './visa.js';

/** An issuer of visas and passports that is trusted. */
export interface TrustedIssuer {
  /** The claim `iss`. */
  readonly issuer: string;
  /** The URL of its keys. The `jku` of a visa must be equal to it, and no other URL is ever fetched. */
  readonly jwksUrl: string;
  /** The accepted values of `source`, the organisations whose assertions the issuer may sign. Default: all. */
  readonly sources?: readonly string[] | undefined;
}

export interface VisaVerifierOptions extends KeySetOptions {
  readonly trusted: readonly TrustedIssuer[];
  /** The accepted values of the claim `aud` of a visa that has one. Default: such a visa is ignored. */
  readonly audience?: string | readonly string[] | undefined;
  readonly clockSkewSeconds: number;
  /** Seconds after its assertion for which a visa is used. */
  readonly maxAgeSeconds: number;
}

/** GA4GH AAI OIDC Profile 1.2, "Signing Algorithms". */
export const VISA_ALGORITHMS: readonly string[] = ['ES256', 'RS256'];

/** The types of a visa document token. `JWT` and none are allowed (Passport 1.2, "typ"). */
const VISA_TYPES: ReadonlySet<string> = new Set(['vnd.ga4gh.visa+jwt', 'jwt']);

/** The visas that were verified. */
export interface VerifiedVisas {
  readonly visas: readonly ConditionalVisa[];
  /** Why some visas could not be verified now: the keys of their issuer cannot be fetched. */
  readonly fault: AuthError | undefined;
}

/** Verifies visa document tokens (AAI OIDC Profile 1.2, "Conformance for Passport Clearinghouses"). */
export class VisaVerifier {
  readonly #options: VisaVerifierOptions;
  readonly #keys = new Map<string, JWTVerifyGetKey>();

  /** Throws RangeError for a key URL that is not one, and without trusted issuers. */
  constructor(options: VisaVerifierOptions) {
    const { trusted, now } = options;
    if (trusted.length === 0) throw new RangeError('trusted must name at least one issuer');
    this.#options = options;
    for (const { jwksUrl } of trusted) {
      checkHttpUrl('jwksUrl', jwksUrl);
      if (!this.#keys.has(jwksUrl)) this.#keys.set(jwksUrl, createKeyFinder(jwksUrl, { now }));
    }
  }

  /** Returns the function that finds the keys of a trusted issuer. */
  keysOf({ jwksUrl }: TrustedIssuer): JWTVerifyGetKey {
    const findKey = this.#keys.get(jwksUrl);
    if (findKey === undefined) throw new RangeError('the issuer is not trusted');
    return findKey;
  }

  /** Verifies visas. Those that are not valid, not trusted or not understood are left out, and of duplicates all but one. */
  async verify(tokens: readonly unknown[]): Promise<VerifiedVisas> {
    const distinct = [...new Set(tokens)];
    const results = await Promise.all(distinct.map((token) => this.#verifyOne(token)));
    const visas = results.flatMap((result) => (result === undefined || result instanceof AuthError ? [] : [result]));
    return { visas, fault: results.find((result) => result instanceof AuthError) };
  }

  async #verifyOne(token: unknown): Promise<ConditionalVisa | AuthError | undefined> {
    if (typeof token !== 'string' || token.length > MAX_TOKEN_CHARACTERS || !COMPACT.test(token)) return undefined;
    try {
      const issuer = this.#findIssuer(token);
      return issuer && (await this.#verifySigned(token, issuer));
    } catch (error) {
      if (error instanceof AuthError) return error;
      // jose throws TypeError for parts that are not JSON, and for a key that is too short.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** Returns the trusted issuer that an unverified visa names together with its key URL. */
  #findIssuer(token: string): TrustedIssuer | undefined {
    const { typ = 'JWT', jku } = decodeProtectedHeader(token);
    const { iss, scope } = decodeJwt(token);
    if (!VISA_TYPES.has(typ.toLowerCase().replace(/^application\//, ''))) return undefined;
    // This is the scope of a visa access token, which would have to be confirmed by its issuer.
    if (typeof scope === 'string' && scope.split(' ').includes('openid')) return undefined;
    return this.#options.trusted.find(({ issuer, jwksUrl }) => issuer === iss && jwksUrl === jku);
  }

  async #verifySigned(token: string, trusted: TrustedIssuer): Promise<ConditionalVisa | undefined> {
    const { clockSkewSeconds, maxAgeSeconds, audience } = this.#options;
    const { payload } = await jwtVerify(token, this.keysOf(trusted), {
      issuer: trusted.issuer,
      algorithms: [...VISA_ALGORITHMS],
      clockTolerance: clockSkewSeconds,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    if (!isForAudience(payload.aud, audience)) return undefined;
    const visa = parseVisa(payload, { now: Date.now() / 1000, clockSkewSeconds, maxAgeSeconds });
    const isTrustedSource = visa !== undefined && trusted.sources?.includes(visa.source) !== false;
    return isTrustedSource ? visa : undefined;
  }
}

/** Returns whether a token without an audience, or for one of those accepted, is for this service (RFC 7519 §4.1.3). */
export function isForAudience(found: unknown, accepted: string | readonly string[] = []): boolean {
  return found === undefined || [found].flat().some((name) => [accepted].flat().some((audience) => audience === name));
}
