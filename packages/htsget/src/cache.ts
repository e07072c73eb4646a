import type { ByteSource, SourceStat } from '@htskit/io';

/** A value and the bytes of memory that it is counted with. */
export interface Sized<Value> {
  readonly value: Value;
  readonly byteLength: number;
}

/**
 * Keeps the most recently used values up to a number of bytes. Callers who ask for the same key while it loads share
 * one load; a load that fails is forgotten.
 */
export class LoadingCache<Value> {
  readonly #maxBytes: number;
  readonly #onLookup: ((isHit: boolean) => void) | undefined;
  readonly #entries = new Map<string, { readonly promise: Promise<Value>; byteLength: number }>();
  #byteLength = 0;

  /** `onLookup` is told of every key that is asked for. */
  constructor(maxBytes: number, onLookup?: (isHit: boolean) => void) {
    this.#maxBytes = maxBytes;
    this.#onLookup = onLookup;
  }

  /** The value of `key`, from the cache or else from `load`. Without a key nothing is kept. */
  async get(key: string | undefined, load: () => Promise<Sized<Value>>): Promise<Value> {
    if (key === undefined) return (await load()).value;
    const cached = this.#entries.get(key);
    this.#onLookup?.(cached !== undefined);
    if (cached !== undefined) {
      // A Map iterates in the order of insertion, so the first entry is always the least recently used one.
      this.#entries.delete(key);
      this.#entries.set(key, cached);
      return cached.promise;
    }
    const loading = load();
    const entry = { promise: loading.then(({ value }) => value), byteLength: 0 };
    this.#entries.set(key, entry);
    loading.then(
      ({ byteLength }) => {
        if (this.#entries.get(key) !== entry) return;
        if (byteLength > this.#maxBytes) {
          // It would push out all the others, and then itself.
          this.#entries.delete(key);
          return;
        }
        entry.byteLength = byteLength;
        this.#byteLength += byteLength;
        this.#evict();
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.promise;
  }

  #evict(): void {
    for (const [key, { byteLength }] of this.#entries) {
      if (this.#byteLength <= this.#maxBytes) return;
      this.#entries.delete(key);
      this.#byteLength -= byteLength;
    }
  }
}

/** Undefined for a source that cannot tell whether it has changed. */
export function cacheKey(source: ByteSource, { version }: SourceStat): string | undefined {
  return version === undefined ? undefined : `${source.key}\n${version}`;
}
