import { LruCache } from '@htskit/io';

export interface BlockCacheOptions {
  /** Bytes of all cached blocks. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Bytes of one block, the unit of reading. Default 128 KiB. */
  readonly blockBytes?: number;
  /** Blocks that are at most this far apart are read at once if they are requested at once. Default 128 KiB. */
  readonly coalesceBytes?: number;
  /** Keeps the blocks, within bounds of its own that may hold for more than blocks. Default: a cache of `maxBytes`. */
  readonly store?: BlockStore;
}

/** Keeps blocks by their names, each of which weighs its bytes. An `LruCache` of blocks is one. */
export type BlockStore = Pick<LruCache<Uint8Array>, 'weight' | 'get' | 'set' | 'delete'>;

const MAX_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 128 * 1024;

/**
 * Caches blocks of any number of objects, per version, and evicts the least recently used ones. Throws RangeError for sizes
 * outside of their bounds.
 *
 * @example
 * const cache = new BlockCache({ maxBytes: 256 * 1024 * 1024 });
 * const source = cachedSource(httpSource('https://data.example.org/reads.bam'), cache);
 */
export class BlockCache {
  readonly maxBytes: number;
  readonly blockBytes: number;
  readonly coalesceBytes: number;
  readonly #blocks: BlockStore;
  #hitCount = 0;
  #missCount = 0;

  constructor(options: BlockCacheOptions = {}) {
    const { maxBytes = MAX_BYTES, blockBytes = BLOCK_BYTES, coalesceBytes = BLOCK_BYTES, store } = options;
    checkSize('maxBytes', maxBytes, 0);
    checkSize('blockBytes', blockBytes, 1);
    checkSize('coalesceBytes', coalesceBytes, 0);
    this.maxBytes = maxBytes;
    this.blockBytes = blockBytes;
    this.coalesceBytes = coalesceBytes;
    this.#blocks = store ?? new LruCache({ maxWeight: maxBytes });
  }

  /** Bytes of all cached blocks, at most `maxBytes`. */
  get byteLength(): number {
    return this.#blocks.weight;
  }

  /** Number of lookups that found a block. */
  get hitCount(): number {
    return this.#hitCount;
  }

  /** Number of lookups that found none. */
  get missCount(): number {
    return this.#missCount;
  }

  get(name: string): Uint8Array | undefined {
    const block = this.#blocks.get(name);
    if (block === undefined) this.#missCount++;
    else this.#hitCount++;
    return block;
  }

  /** Caches a block, which must be the only view of its buffer. An empty block, or one over `maxBytes`, is not cached. */
  set(name: string, block: Uint8Array): void {
    if (block.length === 0) this.#blocks.delete(name);
    else this.#blocks.set(name, block, block.length);
  }
}

function checkSize(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new RangeError(`${name} must be an integer of at least ${min}, found ${value}`);
}
