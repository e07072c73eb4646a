import { createHash } from 'node:crypto';
import type { Permission } from '@htskit/htsget';
import type { HtsgetRegion } from '@htskit/protocol';
import { z } from 'zod';
import { AuthError } from './auth-error.js';
import { fetchJson, httpUrl } from './fetch-json.js';
import type { AccessRequest, Bearer, Policy } from './policy.js';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** A service that is asked who may see what. */
export interface AuthorizerSection {
  readonly url: string;
  readonly timeoutSeconds: number;
  readonly cacheSeconds: number;
}

export const authorizerSection: z.ZodType<AuthorizerSection> = z.strictObject({
  url: httpUrl.describe('Where claims, datatype, id and method are posted as JSON.'),
  timeoutSeconds: z.number().positive().max(60).default(5).describe('How long its answer may take.'),
  cacheSeconds: z.number().min(0).max(3600).default(30).describe('How long an answer holds; no longer than the token.'),
});

const position = z.int().min(0);

const region: z.ZodType<HtsgetRegion> = z
  .strictObject({
    referenceName: z.string().min(1).max(1000),
    start: position.exactOptional(),
    end: position.exactOptional(),
  })
  .refine(({ start = 0, end = Number.POSITIVE_INFINITY }) => start < end);

/** Strict: a key that is misspelled must not permit more than was meant. */
const answer = z.strictObject({ allow: z.boolean(), regions: z.array(region).optional() });

/**
 * The policy of a service: it is posted `{ claims, datatype, id, method }`, and answers 200 with `{ allow, regions? }`,
 * regions as in the body of an htsget request. Whatever else happens is AuthError UNAVAILABLE, and never a permission.
 */
export function createServicePolicy({ url, timeoutSeconds, cacheSeconds }: AuthorizerSection): Policy {
  const cache = new DecisionCache();
  return async (bearer, request) => {
    const key = cacheKey(bearer, request);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const permission = await ask(url, bearer, request, timeoutSeconds * 1000);
    cache.set(key, { permission, expires: Math.min(bearer.expires, Date.now() + cacheSeconds * 1000) });
    return permission;
  };
}

/** Without the token itself, which stays in memory no longer than its request. */
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
    const { allow, regions } = answer.parse(await fetchJson(url, init, MAX_ANSWER_BYTES));
    if (!allow) return 'forbidden';
    // Frozen, so that they are sorted once while the decision is kept.
    return regions === undefined ? 'all' : { regions: Object.freeze(regions) };
  } catch (error) {
    throw new AuthError('UNAVAILABLE', 'who may see this cannot be found out for the moment', { cause: error });
  }
}

/** Decisions and regions of them, together: some ten megabytes. */
const MAX_WEIGHT = 100_000;

interface Decision {
  readonly permission: Permission;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly expires: number;
}

/** Decisions until they expire, the latest ones where there are too many. */
export class DecisionCache {
  readonly #decisions = new Map<string, Decision>();
  #weight = 0;

  get(key: string): Permission | undefined {
    const decision = this.#decisions.get(key);
    if (decision === undefined) return undefined;
    if (Date.now() < decision.expires) return decision.permission;
    this.#delete(key, decision);
    return undefined;
  }

  set(key: string, decision: Decision): void {
    const former = this.#decisions.get(key);
    if (former !== undefined) this.#delete(key, former);
    this.#decisions.set(key, decision);
    this.#weight += weightOf(decision);
    // A map keeps the order of insertion: the oldest is first.
    for (const [oldest, other] of this.#decisions) {
      if (this.#weight <= MAX_WEIGHT) return;
      this.#delete(oldest, other);
    }
  }

  #delete(key: string, decision: Decision): void {
    this.#decisions.delete(key);
    this.#weight -= weightOf(decision);
  }
}

function weightOf({ permission }: Decision): number {
  return typeof permission === 'object' ? 1 + permission.regions.length : 1;
}
