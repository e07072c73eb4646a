import { type ByteRange, type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';

export interface CacheStatOptions {
  /** How long a size and version are cached; 0 to request them every time. */
  readonly milliseconds: number;
  /** The data file, if the source is its index: a stat of the index must not be older than that of the data. */
  readonly data?: ByteSource;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
}

interface CachedStat {
  readonly stat: Promise<SourceStat>;
  readonly requested: number;
  /** Infinite until the request has been answered. */
  expires: number;
}

/**
 * Caches the size and version of a source for a while, so that they are not requested for each ticket. Reads require a
 * version, so none mixes two versions: a read that finds another version, or no object, drops the cached stat. The stat of
 * an index is cached only together with that of its data and never longer: new data with an old index would lack records.
 */
export function cacheStat(source: ByteSource, options: CacheStatOptions): ByteSource {
  const { milliseconds, data } = options;
  const isUncachedData = data !== undefined && !(data instanceof StatCachingSource);
  return milliseconds > 0 && !isUncachedData ? new StatCachingSource(source, options) : source;
}

class StatCachingSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #milliseconds: number;
  readonly #data: StatCachingSource | undefined;
  readonly #now: () => number;
  #cached: CachedStat | undefined;

  constructor(source: ByteSource, { milliseconds, data, now = (): number => performance.now() }: CacheStatOptions) {
    this.key = source.key;
    this.#source = source;
    this.#milliseconds = milliseconds;
    this.#data = data instanceof StatCachingSource ? data : undefined;
    this.#now = now;
  }

  /** If the caller expects a version other than the cached one, as known to another replica, it is requested anew. */
  async stat({ signal, version }: ReadOptions = {}): Promise<SourceStat> {
    const known = this.#current();
    const stat = await unlessAborted(known.stat, signal, this.key);
    if (version === undefined || stat.version === version) return stat;
    if (this.#cached === known) this.#cached = undefined;
    return unlessAborted(this.#current().stat, signal, this.key);
  }

  async read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array> {
    try {
      return await this.#source.read(range, options);
    } catch (error) {
      throw this.#invalidate(error);
    }
  }

  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array> {
    const reader = this.#source.stream(range, options).getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw this.#invalidate(error);
      }
    };
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  /** Takes no signal, since other callers may be waiting for the same request. */
  #current(): CachedStat {
    const known = this.#cached;
    const requested = this.#now();
    if (known !== undefined && requested < known.expires && this.#isAsNewAsData(known)) return known;
    const cached: CachedStat = { stat: this.#source.stat(), requested, expires: Number.POSITIVE_INFINITY };
    this.#cached = cached;
    cached.stat.then(
      () => {
        cached.expires = this.#now() + this.#milliseconds;
      },
      () => {
        if (this.#cached === cached) this.#cached = undefined;
      },
    );
    return cached;
  }

  /** Callers that need both request the stat of the data first. */
  #isAsNewAsData({ requested }: CachedStat): boolean {
    if (this.#data === undefined) return true;
    const dataStat = this.#data.#cached;
    return dataStat !== undefined && dataStat.requested <= requested;
  }

  /** Returns the error, and drops the cached stat if the error shows that it is outdated. */
  #invalidate(error: unknown): unknown {
    const isOutdated = error instanceof StorageError && (error.code === 'CHANGED' || error.code === 'NOT_FOUND');
    if (isOutdated) this.#cached = undefined;
    return error;
  }
}
