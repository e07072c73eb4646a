import type { Permission } from '@htskit/htsget';

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
