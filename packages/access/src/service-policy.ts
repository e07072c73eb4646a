import { LruCache } from '@htskit/io';
import type { HtsgetRegion, Permission, PermittedSamples } from '@htskit/protocol';
import { AuthError } from './auth-error.js';
import { checkHttpUrl, fetchJson } from './fetch-json.js';
import type { AccessRequest, Bearer, Policy } from './policy.js';
import { shareDecisions } from './shared-decisions.js';
import { hashOf } from './token-hash.js';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** A service that decides who may see which objects. */
export interface ServicePolicyOptions {
  /** The URL to which claims, visas, datatype, id and method are posted as JSON. */
  readonly url: string;
  /** Timeout of a request in seconds. Default 5. */
  readonly timeoutSeconds?: number;
  /** Seconds for which a decision is cached, at most until the token expires. Default 30. */
  readonly cacheSeconds?: number;
  /** Milliseconds since any fixed point in time, for the age of cached decisions. Default `performance.now`. */
  readonly now?: () => number;
}

/** The maximum number of cached decisions and their regions together: about ten megabytes. */
const MAX_WEIGHT = 100_000;

/**
 * Creates the policy of a service. It receives `{ claims, visas?, datatype, id, method }` and returns 200 with `{ allow, regions?,
 * samples? }`, where the regions are those of an htsget request body and the samples a list, or `{ except }`. Any other response
 * is AuthError UNAVAILABLE, never a permission. Requests for the same object with the same token at the same time share a
 * decision. Throws RangeError for a URL that is not one.
 */
export function servicePolicy({ url, timeoutSeconds = 5, cacheSeconds = 30, now }: ServicePolicyOptions): Policy {
  checkHttpUrl('url', url);
  // The token was verified before, so that no decision is used for longer than the token is valid.
  const cache = new LruCache<Permission>({ maxWeight: MAX_WEIGHT, ttlMilliseconds: cacheSeconds * 1000, now });
  return shareDecisions(async (bearer, request) => {
    const { datatype, id, method } = request;
    const key = JSON.stringify([await hashOf(bearer.token), datatype, id, method]);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const permission = await ask(url, bearer, request, timeoutSeconds * 1000);
    cache.set(key, permission, weightOf(permission));
    return permission;
  });
}

async function ask(
  url: string,
  { claims, visas }: Bearer,
  { datatype, id, method, signal }: AccessRequest,
  timeoutMilliseconds: number,
): Promise<Permission> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ claims, visas, datatype, id, method }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
  };
  try {
    return toPermission(await fetchJson(url, init, MAX_ANSWER_BYTES));
  } catch (error) {
    throw new AuthError('UNAVAILABLE', 'authorization is temporarily unavailable', { cause: error });
  }
}

/** Throws TypeError for an answer of another form. Unknown keys are errors: a misspelled one must not permit more than intended. */
function toPermission(answer: unknown): Permission {
  const { allow, regions, samples } = toRecord(answer, ['allow', 'regions', 'samples']);
  if (typeof allow !== 'boolean') throw new TypeError('expected allow to be true or false');
  const limits = {
    // The array is frozen, so that its sorted form can be cached with the decision.
    regions: regions === undefined ? ('all' as const) : Object.freeze(toList(regions).map(toRegion)),
    ...(samples !== undefined && { samples: toSamples(samples) }),
  };
  if (!allow) return 'forbidden';
  return regions === undefined && samples === undefined ? 'all' : limits;
}

function toRegion(region: unknown): HtsgetRegion {
  const { referenceName, start, end } = toRecord(region, ['referenceName', 'start', 'end']);
  const areValid = [start, end].every((position) => position === undefined || isPosition(position));
  const limits = { ...(isPosition(start) && { start }), ...(isPosition(end) && { end }) };
  const { start: first = 0, end: last = Number.POSITIVE_INFINITY } = limits;
  if (isName(referenceName) && areValid && first < last) return { referenceName, ...limits };
  throw new TypeError('expected a region with a referenceName, and a start before its end');
}

function toSamples(samples: unknown): PermittedSamples {
  if (Array.isArray(samples)) return toNames(samples);
  const except = toNames(toRecord(samples, ['except'])['except']);
  if (except.length === 0) throw new TypeError('expected samples that are left out');
  return { except };
}

function toNames(values: unknown): readonly string[] {
  const names = toList(values);
  if (names.every(isName)) return names;
  throw new TypeError('expected a list of names');
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new TypeError('expected a list');
}

function toRecord(value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isRecord || !Object.keys(value).every((key) => keys.includes(key))) {
    throw new TypeError(`expected an object with no other keys than ${keys.join(', ')}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1000;
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function weightOf(permission: Permission): number {
  if (typeof permission !== 'object') return 1;
  const { regions, samples = [] } = permission;
  return 1 + regions.length + ('except' in samples ? samples.except : samples).length;
}
