import { LruCache, type Weighted } from '@htskit/io';
import { SHARED_BYTES } from '#shared-bytes';

/** The time after which entries that were not used are dropped. */
const IDLE_MILLISECONDS = 180_000;

/** A reading keeps at most this part of the budget: a long one would evict all that others need. */
const READING_PART = 1 / 4;

/** The entries of all open files without a budget of their own. */
let shared: LruCache<unknown> | undefined;
let fileCount = 0;

/** The cache of an open file: a part of the budget that files share, or one of `maxBytes` of its own. */
export class FileCache {
  /** The maximum number of bytes that one reading adds. */
  readonly readingBytes: number;
  readonly #entries: LruCache<unknown>;
  readonly #prefix: string = `${fileCount++} `;

  constructor(maxBytes?: number) {
    const idleMilliseconds = IDLE_MILLISECONDS;
    if (maxBytes === undefined) shared ??= new LruCache({ maxWeight: SHARED_BYTES, idleMilliseconds });
    this.#entries =
      maxBytes === undefined && shared ? shared : new LruCache({ maxWeight: maxBytes ?? 0, idleMilliseconds });
    this.readingBytes = (maxBytes ?? SHARED_BYTES) * READING_PART;
  }

  /** Returns the part that holds values of one kind, of whose keys no other part knows. */
  part<Value>(kind: string): CachePart<Value> {
    return new CachePart(this.#entries, `${this.#prefix}${kind} `);
  }

  /** Drops what is kept of the file. */
  clear(): void {
    for (const key of Array.from(this.#entries.keys())) if (key.startsWith(this.#prefix)) this.#entries.delete(key);
  }
}

/** Values of one kind, which are kept of one file. Each weighs the bytes that it holds. */
export class CachePart<Value> {
  readonly #entries: LruCache<unknown>;
  readonly #prefix: string;

  constructor(entries: LruCache<unknown>, prefix: string) {
    this.#entries = entries;
    this.#prefix = prefix;
  }

  /** Bytes of all that is kept within the budget, also of other files. */
  get weight(): number {
    return this.#entries.weight;
  }

  get(key: string | number): Value | undefined {
    // Only this class sets values with the prefix.
    return this.#entries.get(this.#prefix + key) as Value | undefined;
  }

  set(key: string | number, value: Value, weight: number): void {
    this.#entries.set(this.#prefix + key, value, weight);
  }

  delete(key: string | number): void {
    this.#entries.delete(this.#prefix + key);
  }

  /** Returns the value that is kept, or that `load` returns. Concurrent callers of one key share one load. */
  async load(key: string | number, load: () => Promise<Weighted<Value>>): Promise<Value> {
    return (await this.#entries.load(this.#prefix + key, load)) as Value;
  }
}
