import { createHash } from 'node:crypto';
import type { Permission } from '@htskit/htsget';
import { LruCache } from '@htskit/io';
import type { HtsgetRegion } from '@htskit/protocol';
import { z } from 'zod';
import { fetchJson, httpUrl } from './fetch-json.js';
import { permittedSamples } from './permitted-samples.js';
import { type AccessRequest, AuthError, type Bearer, type Policy } from './policy.js';

const MAX_ANSWER_BYTES = 1024 * 1024;

export const authorizerSection = z.strictObject({
  url: httpUrl.describe('The URL to which claims, datatype, id and method are posted as JSON.'),
  timeoutSeconds: z.number().positive().max(60).default(5).describe('Timeout of a request in seconds.'),
  cacheSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(30)
    .describe('Seconds for which a decision is cached, at most until the token expires.'),
});

/** A service that decides who may see which objects. */
export type AuthorizerSection = z.infer<typeof authorizerSection>;

const position = z.int().min(0);

const region: z.ZodType<HtsgetRegion> = z
  .strictObject({
    referenceName: z.string().min(1).max(1000),
    start: position.exactOptional(),
    end: position.exactOptional(),
  })
  .refine(({ start = 0, end = Number.POSITIVE_INFINITY }) => start < end);

/** Unknown keys are rejected: a misspelled one must not permit more than intended. */
const answer = z.strictObject({
  allow: z.boolean(),
  regions: z.array(region).optional(),
  samples: permittedSamples.optional(),
});

export interface ServicePolicyOptions {
  /** Milliseconds since any fixed point in time, for the age of cached decisions. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Creates the policy of a service. It receives `{ claims, datatype, id, method }` and returns 200 with `{ allow, regions?,
 * samples? }`, where the regions are those of an htsget request body and the samples a list, or `{ except }`. Any other response is AuthError UNAVAILABLE, never a permission.
 */
export function createServicePolicy(
  { url, timeoutSeconds, cacheSeconds }: AuthorizerSection,
  { now }: ServicePolicyOptions = {},
): Policy {
  // The token was verified before, so that no decision is used for longer than the token is valid.
  const cache = new LruCache<Permission>({ maxWeight: MAX_WEIGHT, ttlMilliseconds: cacheSeconds * 1000, now });
  return async (bearer, request) => {
    const key = cacheKey(bearer, request);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const permission = await ask(url, bearer, request, timeoutSeconds * 1000);
    cache.set(key, permission, weightOf(permission));
    return permission;
  };
}

/** Returns a key with a hash of the token, so that the token stays in memory no longer than its request. */
function cacheKey({ token }: Bearer, { datatype, id, method }: AccessRequest): string {
  return JSON.stringify([createHash('sha256').update(token).digest('base64'), datatype, id, method]);
}

async function ask(
  url: string,
  { claims }: Bearer,
  { datatype, id, method, signal }: AccessRequest,
  timeoutMilliseconds: number,
): Promise<Permission> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ claims, datatype, id, method }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
  };
  try {
    const { allow, regions, samples } = answer.parse(await fetchJson(url, init, MAX_ANSWER_BYTES));
    if (!allow) return 'forbidden';
    // The array is frozen, so that its sorted form can be cached with the decision.
    if (regions === undefined && samples === undefined) return 'all';
    return { regions: regions === undefined ? 'all' : Object.freeze(regions), ...(samples && { samples }) };
  } catch (error) {
    throw new AuthError('UNAVAILABLE', 'authorization is temporarily unavailable', { cause: error });
  }
}

/** The maximum number of cached decisions and their regions together: about ten megabytes. */
const MAX_WEIGHT = 100_000;

function weightOf(permission: Permission): number {
  if (typeof permission !== 'object') return 1;
  const { regions, samples = [] } = permission;
  return 1 + regions.length + ('except' in samples ? samples.except : samples).length;
}
