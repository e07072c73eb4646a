import { BgzfError, inflateBlock, inflateRange, type VirtualRange } from '@htskit/bgzf';
import { parseBlockHeader, RangeInflater } from '@htskit/bgzf/internal';
import { LruCache } from '@htskit/io';
import { CACHE_BYTES, type OpenSource } from '../source/open-source.js';
import type { Pieces } from './bgzf-stream.js';

/** The blocks of a range of more compressed bytes than this part of the budget are not kept: they would evict all others. */
const MAX_PART = 1 / 16;

/** Weight of the entry of a block, without its data. */
const ENTRY_BYTES = 512;

const NO_BYTES = new Uint8Array(0);

/** A block that is kept. */
interface InflatedBlock {
  readonly data: Uint8Array;
  /** The offset of the next block. */
  readonly end: number;
}

/**
 * Inflates ranges of a file and keeps the blocks within a budget. Regions that are near each other have different ranges, which
 * share blocks.
 */
export class InflatedBlocks {
  readonly #file: Pick<OpenSource, 'source' | 'version'>;
  readonly #maxRangeBytes: number;
  readonly #kept: LruCache<InflatedBlock>;

  constructor(file: Pick<OpenSource, 'source' | 'version'>, maxBytes: number = CACHE_BYTES) {
    this.#file = file;
    this.#maxRangeBytes = maxBytes * MAX_PART;
    this.#kept = new LruCache({ maxWeight: maxBytes });
  }

  /** Yields the data of a range, block by block. Throws what `inflateRange` throws. */
  async *read(range: VirtualRange, signal: AbortSignal | undefined): Pieces {
    if (range.end.coffset - range.start.coffset <= this.#maxRangeBytes) return yield* this.#readBlocks(range, signal);
    const { source, version } = this.#file;
    for await (const { data } of inflateRange(source, range, { version, signal })) yield data;
  }

  async *#readBlocks(range: VirtualRange, signal: AbortSignal | undefined): Pieces {
    const { source, version } = this.#file;
    const { start, end } = range;
    const { byteRange, isComplete } = new RangeInflater(range);
    if (isComplete) return;
    let bytes: Uint8Array | undefined;
    let bytesStart = 0;
    for (let coffset = start.coffset; coffset < end.coffset || (coffset === end.coffset && end.uoffset > 0); ) {
      let block = this.#kept.get(String(coffset));
      if (block === undefined && bytes === undefined) {
        bytes = await source.read({ start: coffset, end: byteRange.end }, { version, signal });
        bytesStart = coffset;
      }
      const rest = bytes?.subarray(coffset - bytesStart) ?? NO_BYTES;
      try {
        block ??= this.#inflate(rest, coffset);
      } catch (error) {
        // All bytes of the range are there: it ends within the block.
        const isCut =
          error instanceof BgzfError && error.code === 'TRUNCATED' && coffset + rest.length === byteRange.end;
        throw isCut ? invalidRange(coffset) : error;
      }
      const from = coffset === start.coffset ? start.uoffset : 0;
      const to = coffset === end.coffset ? end.uoffset : block.data.length;
      const isInside = Math.max(from, to) <= block.data.length && (coffset === end.coffset || block.end <= end.coffset);
      if (!isInside) throw invalidRange(coffset);
      if (from < to) yield block.data.subarray(from, to);
      coffset = block.end;
    }
  }

  #inflate(bytes: Uint8Array, coffset: number): InflatedBlock {
    const data = inflateBlock(bytes, { coffset });
    const block = { data, end: coffset + parseBlockHeader(bytes, { coffset: 0 }).blockSize };
    this.#kept.set(String(coffset), block, data.length + ENTRY_BYTES);
    return block;
  }
}

function invalidRange(coffset: number): BgzfError {
  return new BgzfError('INVALID_OFFSET', 'expected a range that begins and ends in blocks', { offset: coffset });
}
