import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkNotAborted, checkRange, toByteStream } from '@htskit/io';
import { BlockCache, type BlockCacheOptions } from './block-cache.js';
import { BlockReader } from './block-reader.js';

/** Blocks that a read may touch to go by way of the cache: larger ones would drive everything else out of it. */
const MAX_BLOCKS = 8;

/**
 * A source that keeps blocks of what was read of it, in a cache of its own or in one that many sources share. Only small
 * reads that demand a version go by way of the cache; what is found there is given whatever became of the object since.
 */
export function cachedSource(source: ByteSource, cache: BlockCache | BlockCacheOptions = {}): ByteSource {
  return new CachedSource(source, cache instanceof BlockCache ? cache : new BlockCache(cache));
}

class CachedSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;
  readonly #cache: BlockCache;
  /** Of the versions that are being read. */
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
      const ranks = Array.from({ length: this.#blockCount(range) }, (_, index) => first + index);
      const blocks = await Promise.all(ranks.map((rank) => reader.read(rank, signal)));
      return join(blocks, { start: range.start - first * blockBytes, end: range.end - first * blockBytes });
    } finally {
      if (reader.isIdle) this.#readers.delete(version);
    }
  }
}

/** A copy of the bytes [start, end) of the blocks laid end to end, clipped at their end. */
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
