import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkNotAborted, checkRange, toByteStream } from '@htskit/io';
import { BlockCache, type BlockCacheOptions } from './block-cache.js';
import { BlockReader } from './block-reader.js';

/** The maximum number of blocks of a read that uses the cache: larger reads would evict everything else. */
const MAX_BLOCKS = 8;

/**
 * Returns a source that caches the blocks it reads, in its own cache or in one that several sources share. Only small reads
 * with a version use the cache. Cached bytes of a version are returned even if the object has changed since.
 *
 * @example
 * const source = cachedSource(httpSource('https://data.example.org/reads.bam'));
 */
export function cachedSource(source: ByteSource, cache: BlockCache | BlockCacheOptions = {}): ByteSource {
  return new CachedSource(source, cache instanceof BlockCache ? cache : new BlockCache(cache));
}

class CachedSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #cache: BlockCache;
  /** Readers of the versions that are being read. */
  readonly #readers = new Map<string, BlockReader>();

  constructor(source: ByteSource, cache: BlockCache) {
    this.key = source.key;
    this.#source = source;
    this.#cache = cache;
  }

  stat(options?: StatOptions): Promise<SourceStat> {
    return this.#source.stat(options);
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const { version, signal } = options;
    if (version === undefined || !this.#isSmall(range)) return this.#source.read(range, options);
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    return this.#readBlocks(range, version, signal);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    if (options.version === undefined || !this.#isSmall(range)) return this.#source.stream(range, options);
    const { signal } = options;
    const ended = new AbortController();
    const chunks = this.#chunks(range, { ...options, signal: ended.signal });
    return toByteStream(chunks, { signal, key: this.key, onCancel: () => ended.abort() });
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    const bytes = await this.read(range, options);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }

  #isSmall(range: ByteRange): boolean {
    return range.start < range.end && this.#blockCount(range) <= MAX_BLOCKS;
  }

  #blockCount({ start, end }: ByteRange): number {
    const { blockBytes } = this.#cache;
    return Math.ceil(end / blockBytes) - Math.floor(start / blockBytes);
  }

  async #readBlocks(range: ByteRange, version: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { blockBytes } = this.#cache;
    const first = Math.floor(range.start / blockBytes);
    const reader = this.#readers.get(version) ?? new BlockReader(this.#source, version, this.#cache);
    this.#readers.set(version, reader);
    try {
      const indexes = Array.from({ length: this.#blockCount(range) }, (_, offset) => first + offset);
      const blocks = await Promise.all(indexes.map((index) => reader.read(index, signal)));
      return join(blocks, { start: range.start - first * blockBytes, end: range.end - first * blockBytes });
    } finally {
      if (reader.isIdle) this.#readers.delete(version);
    }
  }
}

/** Returns a copy of the bytes [start, end) of the concatenated blocks, clipped at their end. */
function join(blocks: readonly Uint8Array[], { start, end }: ByteRange): Uint8Array {
  const byteLength = blocks.reduce((sum, block) => sum + block.length, 0);
  const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
  let at = -start;
  for (const block of blocks) {
    const piece = at < 0 ? block.subarray(-at) : block;
    const position = Math.max(at, 0);
    if (position < bytes.length) bytes.set(piece.subarray(0, bytes.length - position), position);
    at += block.length;
  }
  return bytes;
}
