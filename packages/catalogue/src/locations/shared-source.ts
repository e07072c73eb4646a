import {
  type ByteRange,
  type ByteSource,
  checkNotAborted,
  clipRange,
  concatBytes,
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
/** Bytes of a block of a `BlockCache`, and of eight of them, up to which it reads blocks. */
const BLOCK_BYTES = 128 * 1024;
const SPLIT_BYTES = 8 * BLOCK_BYTES;
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
    const parts = this.#partsOf(range, options.version);
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return this.#source.read(range, options);
    const saved = await Promise.all(parts.map(({ name }) => this.#cache.load(name)));
    checkNotAborted(options.signal, this.key);
    const found = parts.map(({ start, end }, index) =>
      saved[index]?.length === end - start ? saved[index] : undefined,
    );
    const complete = found.filter((part) => part !== undefined);
    if (complete.length === parts.length)
      return complete.length === 1 && complete[0] ? complete[0] : concatBytes(complete);
    const bytes = await this.#source.read({ start: first.start, end: last.end }, options);
    for (const [index, { start, end, name }] of parts.entries()) {
      // Copied, since the caller may hand its bytes to another thread.
      const part = bytes.slice(start - first.start, end - first.start);
      if (found[index] === undefined) void this.#cache.save(name, part);
    }
    return bytes;
  }

  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array> {
    return this.#source.stream(range, options);
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  /** Returns the parts of a range as far as the file has them, or none if the range is not shared. */
  #partsOf(range: ByteRange, version: string | undefined): Part[] {
    if (version === undefined || this.#stat?.version !== version) return [];
    const { size } = this.#stat;
    const { start, end } = clipRange(range, size);
    const isEnd = end <= START_BYTES || start >= size - END_BYTES;
    if (end - start > MAX_BYTES || (this.#parts === 'ends' && !isEnd)) return [];
    const parts: Part[] = [];
    // A `BlockCache` joins blocks that are requested at once, which differ from replica to replica. Long reads are those of whole indexes.
    const step = end - start > SPLIT_BYTES ? MAX_BYTES : BLOCK_BYTES;
    for (let at = start; at < end; ) {
      const partEnd = Math.min(end, at - (at % step) + step);
      parts.push({ start: at, end: partEnd, name: JSON.stringify([this.key, version, at, partEnd]) });
      at = partEnd;
    }
    return parts;
  }
}

/** A part of a file, and its name in the cache. */
interface Part extends ByteRange {
  readonly name: string;
}
