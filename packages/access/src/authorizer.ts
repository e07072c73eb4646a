import type { PartialPermission, Permission } from '@htskit/protocol';
import { AuthError, toHtsgetError, toRefgetError } from './auth-error.js';
import { type PassportOptions, PassportReader } from './passport/passport-reader.js';
import { type AccessRequest, accessPath, type Bearer, type Policy } from './policy.js';
import { createGlob } from './rules/glob.js';
import { createTokenVerifier, invalidToken, type TokenOptions } from './tokens/bearer-token.js';

/** The options of every authorizer, whatever its tokens are. */
export interface AuthorizerOptions {
  /** Decides what the bearer of a valid token may see: `rules`, a `servicePolicy`, or a function. Default: everything. */
  readonly policy?: Policy | undefined;
  /** Globs of objects that require no token, such as `reads/demo/**`. Default: none. */
  readonly public?: readonly string[];
  /** Whether permissions name the subject and the visas of the token, for audits. Block URLs then contain them. Default false. */
  readonly namesSubject?: boolean;
  /** Called with each decision about the bearer of a valid token, before the request is answered. */
  readonly onDecision?: ((request: Request, decision: AccessDecision) => void) | undefined;
}

/** A decision about the bearer of a valid token. */
export interface AccessDecision extends Pick<AccessRequest, 'datatype' | 'id'> {
  readonly isGranted: boolean;
  /** The claim `sub` of the token or passport. */
  readonly subject: string | undefined;
  /** The ids of the visas that the permission rests on. */
  readonly visas: readonly string[];
}

export interface JwtAuthorizerOptions extends TokenOptions, AuthorizerOptions {}

export interface PassportAuthorizerOptions extends PassportOptions, AuthorizerOptions {
  /** Decides what the bearer of a valid passport or token may see: `rules` for datasets, for example. Default: nothing. */
  readonly policy?: Policy | undefined;
}

/** A requested object. */
export interface AccessedObject extends Pick<AccessRequest, 'datatype' | 'id'> {
  /** Default: that of the request. */
  readonly signal?: AbortSignal;
  /** Passports of the body of the request, which replace its Authorization header (DRS 1.5, `passports`). */
  readonly passports?: readonly string[];
}

/** The request that a hook of a handler decides about. */
interface HookInput {
  readonly request: Request;
  readonly id: string;
  readonly signal: AbortSignal;
  /** Passports of the body of the request, which replace its Authorization header. */
  readonly passports?: readonly string[];
}

/** Decides about requests. Its functions can be passed on without it. */
export interface Authorizer {
  /**
   * Decides what a request may do with an object, for an endpoint of any protocol. The object may be of any datatype that the
   * policy knows: `reads` and `variants` are those of htsget. A narrowed permission has regions, samples or both; an endpoint that
   * cannot narrow its answer must refuse it. Rejects with AuthError: UNAUTHENTICATED (401) and FORBIDDEN (403), each with the
   * challenge for `WWW-Authenticate`, if there is one, and UNAVAILABLE (503).
   */
  readonly decide: (request: Request, object: AccessedObject) => Promise<GrantedPermission>;
  /** Returns whether an object requires no token. */
  readonly isPublic: (object: Pick<AccessRequest, 'datatype' | 'id'>) => boolean;
  /** The hook `authorize` of htsget. Rejects with HtsgetError. */
  readonly htsget: (input: HookInput & { readonly datatype: string }) => Promise<GrantedPermission>;
  /** The hook `authorize` of refget. Rejects with RefgetError. A permission for regions or samples permits no sequence. */
  readonly refget: (input: HookInput & { readonly resource: string }) => Promise<'all'>;
}

/** A permission for something. */
export type GrantedPermission = Exclude<Permission, 'unauthenticated' | 'forbidden'>;

/**
 * Creates an authorizer of requests with JSON Web Tokens (RFC 6750, RFC 9068). Requests of htsget need the scope of their datatype.
 * Throws RangeError for options that would accept any token.
 *
 * @example
 * const policy = rules([{ claims: { groups: 'cohort' }, objects: ['reads/cohort/**'] }]);
 * const access = jwtAuthorizer({ jwksUrl, issuer: 'https://issuer.example', audience: 'https://data.example', policy });
 * const htsget = createHtsgetHandler({ resolve, publicUrl, authorize: access.htsget });
 */
export function jwtAuthorizer(options: JwtAuthorizerOptions): Authorizer {
  const verify = createTokenVerifier(options);
  const refuse = async (): Promise<never> => {
    throw invalidToken('passports are not accepted');
  };
  return createAuthorizer({ read: verify, readPassports: refuse }, options);
}

/**
 * Creates an authorizer of requests with GA4GH passports (Passport 1.2, AAI OIDC Profile 1.2): the bearer token is a passport, or an
 * access token whose visas are in its claim `ga4gh_passport_v1` or come from the UserInfo endpoint. Rules for claims apply to access
 * tokens with the scope of the datatype, and rules for datasets to visas. Throws RangeError for options that would accept any token.
 *
 * @example
 * const policy = rules([{ datasets: ['EGAD00000000432'], objects: ['reads/EGAD00000000432/**'] }]);
 * const trusted = [{ issuer: 'https://broker.example', jwksUrl: 'https://broker.example/jwks' }];
 * const access = passportAuthorizer({ trusted, policy });
 */
export function passportAuthorizer(options: PassportAuthorizerOptions): Authorizer {
  const { policy = () => 'forbidden' as const, ...others } = options;
  return createAuthorizer(new PassportReader(options), { ...others, policy });
}

/** The scopes of the datatypes (htsget 1.3.1, "Authentication"). refget has none. */
const SCOPES: Readonly<Record<string, string>> = {
  reads: 'read:genomic_reads',
  variants: 'read:genomic_variants',
};

/** The maximum length of a path that is matched with globs. Ids of files and buckets are shorter. */
const MAX_PATH_LENGTH = 1100;

/** Finds out who sends a request. Rejects with AuthError. */
interface BearerReader {
  /** Verifies an Authorization header for a scope. */
  read(authorization: string | null, scope: string | undefined): Promise<Bearer>;
  readPassports(passports: readonly string[]): Promise<Bearer>;
}

function createAuthorizer(reader: BearerReader, options: AuthorizerOptions): Authorizer {
  const { policy = () => 'all', public: publicGlobs = [], namesSubject = false, onDecision } = options;
  const globs = publicGlobs.map(createGlob);
  const isPublic: Authorizer['isPublic'] = (object) => {
    const path = accessPath(object);
    return path.length <= MAX_PATH_LENGTH && globs.some((matches) => matches(path));
  };
  const decide: Authorizer['decide'] = async (request, { datatype, id, signal = request.signal, passports = [] }) => {
    if (accessPath({ datatype, id }).length > MAX_PATH_LENGTH) throw new AuthError('FORBIDDEN', 'the id is too long');
    if (isPublic({ datatype, id })) return 'all';
    const bearer = await (passports.length === 0
      ? reader.read(request.headers.get('authorization'), SCOPES[datatype])
      : reader.readPassports(passports));
    const permission = await policy(bearer, { datatype, id, method: request.method, signal });
    const isGranted = permission === 'all' || isPartial(permission);
    const visas = isGranted && permission !== 'all' ? permission.visas : undefined;
    onDecision?.(request, { datatype, id, isGranted, subject: bearer.subject, visas: visas ?? [] });
    if (isGranted) return namesSubject ? withSubject(permission, bearer.subject) : withoutVisas(permission);
    if (permission === 'unauthenticated') throw new AuthError('UNAUTHENTICATED', 'a valid bearer token is required');
    // A function that forgets to return must not permit everything.
    if (permission !== 'forbidden') throw new TypeError('a policy must return a Permission');
    throw bearer.fault ?? new AuthError('FORBIDDEN', 'access to this object is denied');
  };
  return {
    decide,
    isPublic,
    htsget: async ({ request, ...object }) => {
      try {
        return await decide(request, object);
      } catch (error) {
        throw error instanceof AuthError ? toHtsgetError(error) : error;
      }
    },
    refget: async ({ request, resource, ...object }) => {
      try {
        checkWhole(await decide(request, { datatype: resource, ...object }));
        return 'all';
      } catch (error) {
        throw error instanceof AuthError ? toRefgetError(error) : error;
      }
    },
  };
}

function isPartial(permission: unknown): permission is PartialPermission {
  return typeof permission === 'object' && permission !== null && 'regions' in permission;
}

/** Throws AuthError FORBIDDEN unless a permission is for the whole object. */
function checkWhole(permission: GrantedPermission): void {
  if (permission === 'all' || (permission.regions === 'all' && permission.samples === undefined)) return;
  throw new AuthError('FORBIDDEN', 'access denied');
}

/** The maximum number of characters of a subject in block URLs and audit records. */
const MAX_SUBJECT_LENGTH = 255;

function withSubject(permission: GrantedPermission, subject: string | undefined): GrantedPermission {
  if (subject === undefined) return permission;
  const limits = permission === 'all' ? { regions: permission } : permission;
  return { ...limits, subject: subject.slice(0, MAX_SUBJECT_LENGTH) };
}

function withoutVisas(permission: GrantedPermission): GrantedPermission {
  if (permission === 'all') return permission;
  const { visas: _, ...limits } = permission;
  return limits.regions === 'all' && Object.keys(limits).length === 1 ? 'all' : limits;
}
