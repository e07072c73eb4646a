import type { ByteRange, ByteSource, ObjectStore, ReadOptions } from '@htskit/io';

/** The Cache API, in the namespace of the Worker. */
export interface IndexCacheOptions {
  readonly cache: Promise<Pick<Cache, 'match' | 'put'>>;
  /** Lets work end after the response, as `waitUntil` of a Worker does. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The names of indexes, plain and encrypted. */
const INDEX = /\.(?:bai|csi|tbi|crai)(?:\.c4gh)?$/;
/** Entries need a lifetime. The version in their name is what keeps them from being outdated. */
const HEADERS = { 'cache-control': 'public, max-age=2592000' };

/**
 * Returns a store whose indexes are read through the Cache API, which all isolates of a data centre share. Entries are named by the key, the
 * version and the range: a replaced index has other ones.
 */
export function withCachedIndexes(store: ObjectStore, options: IndexCacheOptions): ObjectStore {
  return {
    source(key, sourceOptions) {
      const source = store.source(key, sourceOptions);
      return INDEX.test(key) ? new CachedIndex(source, options) : source;
    },
    put: (key, content, putOptions) => store.put(key, content, putOptions),
    list: (prefix, listOptions) => store.list(prefix, listOptions),
    delete: (key, deleteOptions) => store.delete(key, deleteOptions),
  };
}

class CachedIndex implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #options: IndexCacheOptions;

  constructor(source: ByteSource, options: IndexCacheOptions) {
    this.key = source.key;
    this.#source = source;
    this.#options = options;
  }

  stat: ByteSource['stat'] = (options) => this.#source.stat(options);

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const { version } = options;
    if (version === undefined) return this.#source.read(range, options);
    const { cache, waitUntil } = this.#options;
    const name = entryUrl(this.key, version, range);
    // A cache that fails must not fail the request.
    const known = await cache.then((opened) => opened.match(name)).catch(() => undefined);
    if (known !== undefined) return new Uint8Array(await known.arrayBuffer());
    const bytes = await this.#source.read(range, options);
    const entry = new Response(bytes.slice(), { headers: HEADERS });
    waitUntil(cache.then((opened) => opened.put(name, entry)).catch(() => undefined));
    return bytes;
  }

  /** Indexes are read, not streamed. */
  stream: ByteSource['stream'] = (range, options) => this.#source.stream(range, options);
}

/** Returns the name of an entry. The Cache API takes URLs; this one leads nowhere. */
function entryUrl(key: string, version: string, { start, end }: ByteRange): string {
  const query = new URLSearchParams({ version, start: String(start), end: String(end) });
  return `https://index-cache.invalid/${encodeURIComponent(key)}?${query}`;
}
