import { LruCache } from '@htskit/io';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import type { AuthError } from '../auth-error.js';
import type { Bearer } from '../policy.js';
import { hashOf } from '../token-hash.js';
import {
  COMPACT,
  createTokenVerifier,
  hasScope,
  invalidToken,
  lacksScope,
  parseBearer,
  type TokenOptions,
  type TokenVerifier,
  toAuthError,
  unauthenticated,
} from '../tokens/bearer-token.js';
import type { KeySetOptions } from '../tokens/key-set.js';
import { meetsConditions } from './conditions.js';
import { type Identity, isBound, LinkedIdentities, type SubjectBinding } from './identities.js';
import { UserInfo } from './userinfo.js';
import { CONTROLLED_ACCESS_GRANTS, type ConditionalVisa, type Visa } from './visa.js';
import { isForAudience, type TrustedIssuer, VISA_ALGORITHMS, VisaVerifier } from './visa-verifier.js';

/** How passports and their visas are verified. */
export interface PassportOptions {
  /** The issuers whose visas and passports are accepted. */
  readonly trusted: readonly TrustedIssuer[];
  /** How access tokens are verified, which name their visas or have a UserInfo endpoint. Default: only passports are accepted. */
  readonly jwt?: TokenOptions | undefined;
  /** The UserInfo endpoint of the issuer of access tokens, which returns their visas. Default: none. */
  readonly userinfoUrl?: string | undefined;
  /** The claims that a visa and the token must have in common, unless linked identities are the same person. Default `sub`. */
  readonly binding?: SubjectBinding | undefined;
  /** The accepted values of the claim `aud` of passports and visas that have one. Default: that of `jwt`. */
  readonly audience?: string | readonly string[] | undefined;
  /** The authorities whose grants are accepted, by the claim `by`. Default: `dac`, `so` and `system`. */
  readonly by?: readonly string[] | undefined;
  /** Seconds after its assertion for which a visa is used. Default: until it expires. */
  readonly maxAgeSeconds?: number | undefined;
  /** The tolerated clock skew in seconds. Default 60. */
  readonly clockSkewSeconds?: number | undefined;
  /** The maximum number of visas of a request; one with more is refused. Default 200. */
  readonly maxVisas?: number | undefined;
}

/** The maximum length of a passport. */
const MAX_PASSPORT_CHARACTERS = 262_144;

/** The maximum number of passports of a request. */
const MAX_PASSPORTS = 10;

/** Seconds for which verified visas are cached, at most until the first of them expires. */
const CACHE_SECONDS = 300;

/** The maximum number of cached visas: some ten megabytes. */
const MAX_CACHED_VISAS = 10_000;

/** Authorities other than the person that the grant is for, and peers. */
const AUTHORITIES: readonly string[] = ['dac', 'so', 'system'];

interface CachedBearer {
  readonly bearer: Bearer;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Finds out who sends a request and which visas the person has, by a passport or an access token. */
export class PassportReader {
  readonly #options: PassportOptions & Required<Pick<PassportOptions, 'clockSkewSeconds'>>;
  readonly #visas: VisaVerifier;
  readonly #verifyToken: TokenVerifier | undefined;
  readonly #userinfo: UserInfo | undefined;
  readonly #cache: LruCache<CachedBearer>;

  /** Throws RangeError for a URL that is not one, and without trusted issuers. */
  constructor(options: PassportOptions, keySetOptions: KeySetOptions = {}) {
    const { clockSkewSeconds = 60, maxAgeSeconds = Number.POSITIVE_INFINITY, jwt, userinfoUrl } = options;
    const { audience = jwt?.audience, trusted } = options;
    this.#options = { ...options, audience, clockSkewSeconds };
    this.#visas = new VisaVerifier({ ...keySetOptions, trusted, audience, clockSkewSeconds, maxAgeSeconds });
    this.#verifyToken = jwt && createTokenVerifier(jwt, keySetOptions);
    this.#userinfo = userinfoUrl === undefined ? undefined : new UserInfo(userinfoUrl, keySetOptions);
    this.#cache = new LruCache({
      maxWeight: MAX_CACHED_VISAS,
      ttlMilliseconds: CACHE_SECONDS * 1000,
      now: keySetOptions.now,
    });
  }

  /** Verifies an Authorization header. Rejects with the same errors as a `TokenVerifier`. */
  async read(authorization: string | null, scope: string | undefined): Promise<Bearer> {
    const token = parseBearer(authorization);
    if (token === undefined) throw unauthenticated(scope);
    if (token.length > MAX_PASSPORT_CHARACTERS) throw invalidToken('the token is too long');
    if (isPassport(token)) return this.#readPassport(token);
    if (this.#verifyToken === undefined) throw invalidToken('the token is not a passport');
    // The times of an access token are verified with each request.
    const { claims } = await this.#verifyToken(authorization, undefined);
    const bearer = await this.#cached(token, () => this.#readVisas(token, claims));
    if (scope === undefined || hasScope(claims, scope)) return bearer;
    // The scope is that of claims. Brokers do not know it.
    if (bearer.visas === undefined || bearer.visas.length === 0) throw bearer.fault ?? lacksScope(scope);
    return { ...bearer, claims: {}, hasOnlyVisas: true };
  }

  /** Verifies passports of one person, and returns the bearer of all of their visas. Rejects with AuthError. */
  async readPassports(passports: readonly string[]): Promise<Bearer> {
    if (passports.length === 0) throw unauthenticated(undefined);
    if (passports.length > MAX_PASSPORTS) throw invalidToken(`there are more than ${MAX_PASSPORTS} passports`);
    const bearers = await Promise.all(passports.map((passport) => this.#readPassport(passport)));
    const visas = bearers.flatMap((bearer) => bearer.visas ?? []);
    const fault = bearers.find((bearer) => bearer.fault !== undefined)?.fault;
    const subject = bearers[0]?.subject;
    return { token: passports.join(' '), claims: {}, subject, visas, fault, hasOnlyVisas: true };
  }

  /** Verifies a passport (AAI OIDC Profile 1.2, "Passport Format"). Rejects with AuthError. */
  async #readPassport(token: string): Promise<Bearer> {
    if (token.length > MAX_PASSPORT_CHARACTERS) throw invalidToken('the passport is too long');
    if (!COMPACT.test(token) || !isPassport(token)) throw invalidToken('the token is not a passport');
    return this.#cached(token, async () => {
      const claims = await this.#verifyPassport(token);
      const { visas, fault } = await this.#accept(claims['ga4gh_passport_v1'], claims);
      // The rules for claims are those of another issuer.
      return { token, claims: {}, subject: claims.sub, visas, fault, hasOnlyVisas: true, expires: claims.exp };
    });
  }

  async #cached(
    token: string,
    read: () => Promise<Bearer & { readonly expires?: number | undefined }>,
  ): Promise<Bearer> {
    const key = await hashOf(token);
    const now = Date.now() / 1000;
    const cached = this.#cache.get(key);
    if (cached !== undefined && now < cached.expires) return cached.bearer;
    const { expires = Number.POSITIVE_INFINITY, ...bearer } = await read();
    const { visas = [], fault } = bearer;
    const first = Math.min(expires, ...visas.map((visa) => visa.expires));
    if (fault === undefined) this.#cache.set(key, { bearer, expires: first }, 1 + visas.length);
    return bearer;
  }

  async #readVisas(token: string, claims: JWTPayload): Promise<Bearer> {
    const { sub: subject, ga4gh_passport_v1: embedded } = claims;
    const asks = embedded === undefined && subject !== undefined;
    const tokens = asks ? await this.#userinfo?.visasOf(token, claims) : embedded;
    return { token, claims, subject, ...(await this.#accept(tokens ?? [], claims)) };
  }

  async #verifyPassport(token: string): Promise<JWTPayload> {
    const { trusted, clockSkewSeconds, audience } = this.#options;
    try {
      const { iss } = decodeJwt(token);
      const broker = trusted.find(({ issuer }) => issuer === iss);
      if (broker === undefined) throw invalidToken('the issuer of the passport is not trusted');
      const { payload } = await jwtVerify(token, this.#visas.keysOf(broker), {
        issuer: broker.issuer,
        typ: PASSPORT_TYPE,
        algorithms: [...VISA_ALGORITHMS],
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['sub', 'iat', 'exp', 'ga4gh_passport_v1'],
      });
      if (Number(payload.iat) > Date.now() / 1000 + clockSkewSeconds) throw claimFault('iat');
      if (!isForAudience(payload.aud, audience)) throw claimFault('aud');
      return payload;
    } catch (error) {
      throw toAuthError(error);
    }
  }

  /** Verifies visas, and leaves out those of other persons, and those whose conditions are not met. */
  async #accept(tokens: unknown, claims: JWTPayload): Promise<Pick<Bearer, 'visas' | 'fault'>> {
    const { maxVisas = 200, binding = 'sub', by: authorities = AUTHORITIES } = this.#options;
    if (!Array.isArray(tokens)) throw claimFault('ga4gh_passport_v1');
    if (tokens.length > maxVisas) throw invalidToken(`the token has more than ${maxVisas} visas`);
    const { iss: issuer = '', sub: subject = '' } = claims;
    const { visas, fault } = await this.#visas.verify(tokens as readonly unknown[]);
    const accepted = acceptVisas(visas, { issuer, subject }, binding);
    const hasAuthority = ({ type, by }: Visa): boolean =>
      type !== CONTROLLED_ACCESS_GRANTS || (by !== undefined && authorities.includes(by));
    return { visas: accepted.filter(hasAuthority), fault };
  }
}

/** Returns the visas of a person whose conditions are met by other visas of the same person. */
function acceptVisas(visas: readonly ConditionalVisa[], token: Identity, binding: SubjectBinding): readonly Visa[] {
  const links = new LinkedIdentities(visas);
  const bound = visas.filter((visa) => isBound(visa, token, { binding, links }));
  return bound.filter((visa) => {
    const others = bound.filter((other) => other !== visa && links.isSamePerson(other, visa));
    return meetsConditions(visa, others);
  });
}

const PASSPORT_TYPE = 'vnd.ga4gh.passport+jwt';

/** Returns whether a token says that it is a passport. Its signature is not verified. */
function isPassport(token: string): boolean {
  try {
    const { typ = '' } = decodeProtectedHeader(token);
    return typ.toLowerCase().replace(/^application\//, '') === PASSPORT_TYPE;
  } catch {
    return false;
  }
}

function claimFault(claim: string): AuthError {
  return invalidToken(`the claim ${claim} of the token is not accepted`);
}
