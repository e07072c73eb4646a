import { startBackgroundTimer } from './clock.js';

export interface LruCacheOptions {
  /** Upper bound of the summed weights. A heavier value is returned but not kept. */
  readonly maxWeight: number;
  /** Milliseconds after which an entry expires. Default: entries do not expire. */
  readonly ttlMilliseconds?: number;
  /** Milliseconds after which an entry that was not used is dropped. Default: unused entries stay. */
  readonly idleMilliseconds?: number;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
  /** Called for each key passed to `load`, with whether it was cached or already loading. */
  readonly onLookup?: (isHit: boolean) => void;
}

/** A loaded value and what it counts towards `maxWeight`: its bytes, say, or 1. */
export interface Weighted<Value> {
  readonly value: Value;
  readonly weight: number;
}

interface Entry<Value> extends Weighted<Value> {
  readonly expires: number;
  usedAt: number;
}

/** Entries are dropped up to this part of `idleMilliseconds` late, so that one timer serves many. */
const IDLE_TOLERANCE = 1 / 8;

/**
 * Keeps the most recently used values up to a total weight.
 *
 * @example
 * const headers = new LruCache<Header>({ maxWeight: 64 * 1024 * 1024 });
 * const header = await headers.load(key, async () => {
 *   const bytes = await source.read({ start: 0, end: 65536 });
 *   return { value: parseHeader(bytes), weight: bytes.length };
 * });
 */
export class LruCache<Value> {
  readonly #options: LruCacheOptions;
  /** Least recently used first: a Map iterates in insertion order. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #loading = new Map<string, Promise<Value>>();
  #weight = 0;
  /** Prevents the next drop of unused entries, which is due at `#dropAt`. */
  #stopTimer: (() => void) | undefined;
  #dropAt = Number.POSITIVE_INFINITY;

  constructor(options: LruCacheOptions) {
    this.#options = options;
  }

  /** Summed weight of the entries, at most `maxWeight`. */
  get weight(): number {
    return this.#weight;
  }

  /** Returns the cached value and marks it as the most recently used, or undefined if there is none. */
  get(key: string): Value | undefined {
    return this.#touch(key)?.value;
  }

  /** Stores a value in place of an earlier one and evicts the least recently used entries beyond `maxWeight`. */
  set(key: string, value: Value, weight: number = 1): void {
    this.delete(key);
    const { maxWeight, ttlMilliseconds } = this.#options;
    if (weight > maxWeight) return;
    const usedAt = this.#now();
    const expires = ttlMilliseconds === undefined ? Number.POSITIVE_INFINITY : usedAt + ttlMilliseconds;
    this.#entries.set(key, { value, weight, expires, usedAt });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= maxWeight) break;
      this.delete(oldest);
    }
    // A runtime may have dropped the timer, as workerd does at the end of a request.
    if (this.#stopTimer === undefined || usedAt >= this.#dropAt) this.#dropUnused();
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
    if (this.#entries.size === 0) this.#endTimer();
  }

  /** The keys of the entries, least recently used first. */
  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /**
   * Returns the cached value, or the result of `load`. Concurrent callers of one key share one load. A failed load is not
   * kept.
   */
  async load(key: string, load: () => Promise<Weighted<Value>>): Promise<Value> {
    const cached = this.#touch(key);
    const loading = cached === undefined ? this.#loading.get(key) : undefined;
    this.#options.onLookup?.(cached !== undefined || loading !== undefined);
    if (cached !== undefined) return cached.value;
    if (loading !== undefined) return loading;
    const started = this.#load(key, load);
    this.#loading.set(key, started);
    return started;
  }

  async #load(key: string, load: () => Promise<Weighted<Value>>): Promise<Value> {
    try {
      const { value, weight } = await load();
      this.set(key, value, weight);
      return value;
    } finally {
      this.#loading.delete(key);
    }
  }

  #touch(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = this.#now();
    if (entry.expires <= now) {
      this.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    entry.usedAt = now;
    this.#entries.set(key, entry);
    return entry;
  }

  /** Drops the entries that were not used for the time that the options state, and waits for the next. */
  #dropUnused(): void {
    const { idleMilliseconds } = this.#options;
    if (idleMilliseconds === undefined) return;
    this.#endTimer();
    const now = this.#now();
    for (const [key, { usedAt }] of this.#entries) {
      const rest = usedAt + idleMilliseconds - now;
      if (rest > 0) {
        const milliseconds = Math.max(rest, idleMilliseconds * IDLE_TOLERANCE);
        this.#dropAt = now + milliseconds;
        this.#stopTimer = startBackgroundTimer(milliseconds, () => this.#dropUnused());
        return;
      }
      this.delete(key);
    }
  }

  #endTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#dropAt = Number.POSITIVE_INFINITY;
  }

  #now(): number {
    const { ttlMilliseconds, idleMilliseconds } = this.#options;
    if (ttlMilliseconds === undefined && idleMilliseconds === undefined) return 0;
    return (this.#options.now ?? (() => performance.now()))();
  }
}
