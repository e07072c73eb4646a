import {
  type BorrowedBytes,
  type ByteRange,
  type ByteSource,
  clipRange,
  concatBytes,
  LruCache,
  StorageError,
  toOwned,
} from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import { BgzfError } from './bgzf-error.js';
import { MAX_BLOCK_SIZE } from './block/block-layout.js';
import { inflateBlock } from './block/inflate-blocks.js';
import type { EngineOptions } from './engines/codec-engine.js';
import { type CompleteGzi, completeGzi, countBlocksUpTo, type GziIndex, locateUncompressed } from './gzi.js';
import { inflateRange } from './stream/inflate-stream.js';

export interface IndexedFileOptions extends EngineOptions {
  readonly gzi?: GziIndex;
  /** Bytes of inflated blocks to keep. Default 64 blocks. */
  readonly cacheBytes?: number;
}

const DEFAULT_CACHE_BYTES = 64 * MAX_BLOCK_SIZE;

/** One version of a BGZF file with its index and cached blocks. */
export class IndexedFile {
  readonly version: string | undefined;
  readonly #source: ByteSource;
  readonly #options: IndexedFileOptions;
  readonly #cacheBytes: number;
  /** By the number of the block, which is 0 for the first. */
  #blocks: LruCache<Uint8Array>;
  #index: CompleteGzi | undefined;
  #indexing: Promise<CompleteGzi> | undefined;

  constructor(source: ByteSource, version: string | undefined, options: IndexedFileOptions) {
    this.version = version;
    this.#source = source;
    this.#options = options;
    this.#cacheBytes = options.cacheBytes ?? DEFAULT_CACHE_BYTES;
    this.#blocks = new LruCache({ maxWeight: this.#cacheBytes });
  }

  dropBlocks(): void {
    this.#blocks = new LruCache({ maxWeight: this.#cacheBytes });
  }

  /** Returns a range that lies within one cached block, or undefined for any other. This is the path of hot slices. */
  readCached({ start, end }: ByteRange): Uint8Array | undefined {
    const gzi = this.#index?.gzi ?? this.#options.gzi;
    if (gzi === undefined) return undefined;
    const next = countBlocksUpTo(gzi, start);
    const blockStart = gzi.uncompressedOffsets[next - 1] ?? 0;
    const block = this.#blocks.get(String(next));
    if (block === undefined || end > blockStart + block.length) return undefined;
    return block.slice(start - blockStart, end - blockStart);
  }

  async read(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const index = this.#index ?? (await this.#indexUpTo(range.end, signal));
    const { start, end } = clipRange(range, index.uncompressedLength);
    if (end - start > Math.max(MAX_BLOCK_SIZE, this.#cacheBytes / 4)) return this.#readThrough({ start, end }, signal);
    const bytes = new Uint8Array(end - start);
    const loads: Promise<void>[] = [];
    for (const part of blockParts(index, { start, end })) {
      const block = this.#blocks.get(String(part.block));
      if (block !== undefined) bytes.set(block.subarray(part.start, part.end), part.position - start);
      else loads.push(this.#copyPart(bytes, part.position - start, part));
    }
    // The loads do not get the signal: other reads may wait for the same block.
    if (loads.length > 0) await unlessAborted(Promise.all(loads), signal, this.#source.key);
    return bytes;
  }

  /** Yields the uncompressed bytes of a range block by block. */
  async *inflate(range: ByteRange, signal: AbortSignal | undefined): AsyncGenerator<BorrowedBytes, void> {
    const index = this.#index ?? (await this.#indexUpTo(range.end, signal));
    const { start, end } = clipRange(range, index.uncompressedLength);
    if (start === end) return;
    const virtualRange = { start: locateUncompressed(index.gzi, start), end: locateUncompressed(index.gzi, end) };
    let missing = end - start;
    const options = { signal, version: this.version, engine: this.#options.engine };
    for await (const { data, coffset } of inflateRange(this.#source, virtualRange, options)) {
      missing -= data.length;
      if (missing < 0) throw indexMismatch(coffset);
      yield data;
    }
    if (missing > 0) throw indexMismatch(virtualRange.end.coffset);
  }

  /** Returns the index of all blocks. Concurrent callers share the work. */
  async complete(signal: AbortSignal | undefined): Promise<CompleteGzi> {
    if (this.#index !== undefined) return this.#index;
    const isOwn = this.#indexing === undefined;
    this.#indexing ??= this.#findBlocks(signal);
    try {
      return await unlessAborted(this.#indexing, signal, this.#source.key);
    } catch (error) {
      // The caller who started the work has aborted it; this one still waits.
      const isOthers = error instanceof StorageError && error.code === 'ABORTED' && signal?.aborted !== true;
      if (isOwn || !isOthers) throw error;
      return this.complete(signal);
    }
  }

  /**
   * Returns an index whose blocks reach at least to `end`. The end of the last block is looked up only if it matters.
   */
  async #indexUpTo(end: number, signal: AbortSignal | undefined): Promise<CompleteGzi> {
    const { gzi } = this.#options;
    const lastStart = gzi?.uncompressedOffsets.at(-1) ?? 0;
    if (gzi !== undefined && end <= lastStart) return { gzi, uncompressedLength: lastStart };
    return this.complete(signal);
  }

  async #findBlocks(signal: AbortSignal | undefined): Promise<CompleteGzi> {
    try {
      const { size, version } = await this.#source.stat({ signal });
      if (version !== this.version) throw toChangedError(this.#source.key);
      this.#index = await completeGzi(this.#source, size, { gzi: this.#options.gzi, signal, version });
      return this.#index;
    } finally {
      this.#indexing = undefined;
    }
  }

  async #readThrough(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of this.inflate(range, signal)) parts.push(toOwned(part));
    return concatBytes(parts);
  }

  async #copyPart(target: Uint8Array, position: number, part: BlockPart): Promise<void> {
    const block = await this.#blocks.load(String(part.block), async () => {
      const value = await this.#loadBlock(part);
      return { value, weight: value.length };
    });
    target.set(block.subarray(part.start, part.end), position);
  }

  async #loadBlock({ coffset, nextCoffset, isize }: BlockPart): Promise<Uint8Array> {
    const range = { start: coffset, end: Math.min(coffset + MAX_BLOCK_SIZE, nextCoffset ?? Number.POSITIVE_INFINITY) };
    const bytes = await this.#source.read(range, { version: this.version });
    const block = inflateBlock(bytes, { coffset, engine: this.#options.engine });
    if (block.length !== isize) throw indexMismatch(coffset);
    return block;
  }
}

/** Uncompressed bytes `[start, end)` of one block. */
interface BlockPart extends ByteRange {
  /** The offset of `start` in the uncompressed data of the file. */
  readonly position: number;
  /** How many listed blocks begin at or before it. */
  readonly block: number;
  readonly coffset: number;
  /** The offset of the next block that is listed. */
  readonly nextCoffset: number | undefined;
  /** Size of the whole block according to the index. */
  readonly isize: number;
}

/** Yields the parts of blocks that make up a range, which lies within the data. Throws BgzfError INVALID_OFFSET. */
function* blockParts({ gzi, uncompressedLength }: CompleteGzi, { start, end }: ByteRange): Generator<BlockPart, void> {
  const { coffsets, uncompressedOffsets } = gzi;
  let position = start;
  for (let block = countBlocksUpTo(gzi, start); position < end; block += 1) {
    const coffset = coffsets[block - 1] ?? 0;
    const blockStart = uncompressedOffsets[block - 1] ?? 0;
    const isize = (uncompressedOffsets[block] ?? uncompressedLength) - blockStart;
    if (isize > MAX_BLOCK_SIZE) throw indexMismatch(coffset);
    const part = { start: position - blockStart, end: Math.min(end - blockStart, isize) };
    // Empty blocks may be listed.
    if (part.start < part.end) yield { ...part, position, block, coffset, nextCoffset: coffsets[block], isize };
    position = blockStart + part.end;
  }
}

function indexMismatch(coffset: number): BgzfError {
  return new BgzfError('INVALID_OFFSET', 'the block does not have the size that the GZI index states', {
    offset: coffset,
  });
}

/** Creates the error of a file that has another version than requested. */
export function toChangedError(key: string): StorageError {
  return new StorageError('CHANGED', 'the file has another version than requested', { key });
}
