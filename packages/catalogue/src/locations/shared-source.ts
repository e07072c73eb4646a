import {
  type ByteRange,
  type ByteSource,
  checkNotAborted,
  clipRange,
  type ReadOptions,
  type SourceStat,
  type StatOptions,
} from '@htskit/io';

/** Keeps parts of files for other processes and later starts. */
export interface SharedCache {
  /** Returns what was saved under a name, byte for byte, or undefined. Does not fail. */
  load(name: string): Promise<Uint8Array | undefined>;
  /** Saves bytes under a name. Does not fail. The bytes must not be changed meanwhile. */
  save(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * The parts of a file that are shared: its ends, which are what opening a data file reads, or whatever is read of it, for an index or
 * a bigWig.
 */
export type SharedParts = 'ends' | 'all';

/** Bytes at the start of a data file: three blocks of a `BlockCache`. Few headers are longer, compressed. */
const START_BYTES = 384 * 1024;
/** Bytes at the end of a data file: two blocks, the last of which may be short. */
const END_BYTES = 256 * 1024;
/** Longer parts are read from the file. Indexes of human genomes have some 10 MB. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Returns a source that looks for parts of a version of a file in a cache before it reads them, and saves those that it had to read. It
 * reads nothing from the cache before `stat` was called, as it is for every opened file.
 */
export function sharedSource(source: ByteSource, cache: SharedCache, parts: SharedParts): ByteSource {
  return new SharedSource(source, cache, parts);
}

class SharedSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #cache: SharedCache;
  readonly #parts: SharedParts;
  /** The latest one. */
  #stat: SourceStat | undefined;

  constructor(source: ByteSource, cache: SharedCache, parts: SharedParts) {
    this.key = source.key;
    this.#source = source;
    this.#cache = cache;
    this.#parts = parts;
  }

  async stat(options?: StatOptions): Promise<SourceStat> {
    this.#stat = await this.#source.stat(options);
    return this.#stat;
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const name = this.#nameOf(range, options.version);
    if (name === undefined) return this.#source.read(range, options);
    const { start, end, text } = name;
    const saved = await this.#cache.load(text);
    checkNotAborted(options.signal, this.key);
    if (saved?.length === end - start) return saved;
    const bytes = await this.#source.read({ start, end }, options);
    // Copied, since the caller may hand its bytes to another thread.
    void this.#cache.save(text, new Uint8Array(bytes));
    return bytes;
  }

  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array> {
    return this.#source.stream(range, options);
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  /** Returns a part of the file as far as it exists, with its name, or undefined if it is not shared. */
  #nameOf(range: ByteRange, version: string | undefined): (ByteRange & { readonly text: string }) | undefined {
    if (version === undefined || this.#stat?.version !== version) return undefined;
    const { size } = this.#stat;
    const { start, end } = clipRange(range, size);
    const isEnd = end <= START_BYTES || start >= size - END_BYTES;
    if (start >= end || end - start > MAX_BYTES || (this.#parts === 'ends' && !isEnd)) return undefined;
    return { start, end, text: JSON.stringify([this.key, version, start, end]) };
  }
}
