import { BgzfError, compareVirtualOffsets, type InflatedSpan, inflateBlock, type VirtualRange } from '@htskit/bgzf';
import { blockRange, MAX_BLOCK_SIZE, parseBlockHeader } from '@htskit/bgzf/internal';
import { checkNotAborted, LruCache } from '@htskit/io';
import type { CachePart } from '../source/file-cache.js';
import type { OpenSource } from '../source/open-source.js';
import { ReadAhead } from '../source/read-ahead.js';

/** Weight of the entry of a block, without its data. */
const ENTRY_BYTES = 512;

/** Blocks that a reading keeps in any case: ranges that follow each other share the block between them. */
const RECENT_BLOCKS = 4;

type CachedFile = Pick<OpenSource, 'source' | 'version' | 'isLocal' | 'cache'>;

/** A block that is kept. */
interface InflatedBlock {
  readonly data: Uint8Array;
  /** The offset of the next block. */
  readonly end: number;
}

/** Inflates ranges of a file, and keeps their blocks: regions that are near each other have different ranges, which share blocks. */
export class InflatedBlocks {
  readonly #file: CachedFile;
  readonly #kept: CachePart<InflatedBlock>;

  constructor(file: CachedFile) {
    this.#file = file;
    this.#kept = file.cache.part('block');
  }

  /** Opens a reading of parts of the ranges that `ranges` returns, which are disjoint and in ascending order. */
  open(ranges: () => readonly VirtualRange[], options: OpenBlocksOptions): BlockReading {
    return new BlockReading({ ...options, file: this.#file, kept: this.#kept, ranges });
  }
}

/** How a reading of blocks is opened. */
interface OpenBlocksOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the offset after each block before its data is yielded. */
  readonly onBlock?: ((coffset: number) => void) | undefined;
}

interface BlockReadingOptions extends OpenBlocksOptions {
  readonly file: CachedFile;
  readonly kept: CachePart<InflatedBlock>;
  readonly ranges: () => readonly VirtualRange[];
}

/** Reads parts of ranges in ascending order. */
export class BlockReading {
  readonly #options: BlockReadingOptions;
  /** Undefined until a block is not kept. */
  #stored: ReadAhead | undefined;
  readonly #recent = new LruCache<InflatedBlock>({ maxWeight: RECENT_BLOCKS });
  /** Bytes that may still be kept. */
  #keepBytes: number;

  constructor(options: BlockReadingOptions) {
    this.#options = options;
    this.#keepBytes = options.file.cache.readingBytes;
  }

  /**
   * Yields the data of a range, block by block, as `inflateRange` does. The caller must not modify it. Yields a promise before a block
   * that is not known, and continues once that has settled: regions whose blocks are kept are read without waiting.
   */
  *read(range: VirtualRange): Generator<InflatedSpan | Promise<unknown>, void> {
    const { start, end } = range;
    const byteRange = blockRange(range);
    const isEmpty = compareVirtualOffsets(start, end) === 0;
    const { file, signal, onBlock } = this.#options;
    for (let { coffset } = start; !isEmpty && coffset < byteRange.end; ) {
      checkNotAborted(signal, file.source.key);
      let block = this.#known(coffset);
      if (block === undefined) {
        yield this.#load(coffset, byteRange.end);
        block = this.#known(coffset);
        if (block === undefined) throw new Error('the block was not awaited');
      }
      const from = coffset === start.coffset ? start.uoffset : 0;
      const to = coffset === end.coffset ? end.uoffset : block.data.length;
      const isInside = Math.max(from, to) <= block.data.length && (coffset === end.coffset || block.end <= end.coffset);
      if (!isInside) throw invalidRange(coffset);
      onBlock?.(block.end);
      if (from < to) yield { data: block.data.subarray(from, to), coffset, uoffset: from };
      if (coffset === end.coffset) return;
      coffset = block.end;
    }
  }

  /** Ends the reading, and with it the requests in flight. */
  close(): void {
    this.#stored?.close();
  }

  #known(coffset: number): InflatedBlock | undefined {
    return this.#recent.get(String(coffset)) ?? this.#options.kept.get(coffset);
  }

  async #load(coffset: number, byteEnd: number): Promise<void> {
    const { file, ranges, signal } = this.#options;
    this.#stored ??= new ReadAhead(file, ranges().map(blockRange), signal);
    const bytes = await this.#stored.take({ start: coffset, end: Math.min(coffset + MAX_BLOCK_SIZE, byteEnd) });
    const block = inflateAt(bytes, { coffset, byteEnd });
    const weight = block.data.length + ENTRY_BYTES;
    this.#recent.set(String(coffset), block);
    this.#keepBytes -= weight;
    if (this.#keepBytes >= 0) this.#options.kept.set(coffset, block, weight);
  }
}

/** Yields what a reading yields, and awaits its promises. */
export async function* awaitBlocks<T>(reading: Iterable<T | Promise<unknown>>): AsyncGenerator<T, void> {
  for (const step of reading) {
    if (step instanceof Promise) await step;
    else yield step;
  }
}

/** Inflates the block at the start of `bytes`. Throws INVALID_OFFSET if the range whose bytes end at `byteEnd` ends within it. */
function inflateAt(
  bytes: Uint8Array,
  { coffset, byteEnd }: { readonly coffset: number; readonly byteEnd: number },
): InflatedBlock {
  try {
    const data = inflateBlock(bytes, { coffset });
    return { data, end: coffset + parseBlockHeader(bytes, { coffset: 0 }).blockSize };
  } catch (error) {
    const isCut = error instanceof BgzfError && error.code === 'TRUNCATED' && coffset + bytes.length === byteEnd;
    throw isCut ? invalidRange(coffset) : error;
  }
}

function invalidRange(coffset: number): BgzfError {
  return new BgzfError('INVALID_OFFSET', 'expected a range that begins and ends in blocks', { offset: coffset });
}
