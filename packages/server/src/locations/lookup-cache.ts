export interface LookupCacheOptions {
  /** Of the results that are kept. */
  readonly maxCount: number;
  /** For how long a result stands. */
  readonly milliseconds: number;
  /** Milliseconds since any point in time. Default: since the process started. */
  readonly now?: (() => number) | undefined;
}

interface Lookup<Result> {
  readonly result: Promise<Result>;
  readonly expires: number;
}

/** Results of lookups, for a short time, also of those that found nothing. What is asked for at once is looked up once. */
export class LookupCache<Result> {
  readonly #options: LookupCacheOptions;
  /** The oldest first. */
  readonly #lookups = new Map<string, Lookup<Result>>();

  constructor(options: LookupCacheOptions) {
    this.#options = options;
  }

  /** The result of `lookUp`, or that of an earlier one. A lookup that fails is not kept. */
  get(key: string, lookUp: () => Promise<Result>): Promise<Result> {
    const { maxCount, milliseconds, now = () => performance.now() } = this.#options;
    const known = this.#lookups.get(key);
    if (known !== undefined && now() < known.expires) return known.result;
    const lookup = { result: lookUp(), expires: now() + milliseconds };
    this.#lookups.delete(key);
    this.#lookups.set(key, lookup);
    for (const oldest of this.#lookups.keys()) {
      if (this.#lookups.size <= maxCount) break;
      this.#lookups.delete(oldest);
    }
    lookup.result.catch(() => {
      if (this.#lookups.get(key) === lookup) this.#lookups.delete(key);
    });
    return lookup.result;
  }
}
