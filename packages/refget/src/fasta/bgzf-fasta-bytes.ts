import { BgzfError, type GziIndex, inflateBlock, inflateRange, locateUncompressed, readBlock } from '@htskit/bgzf';
import type { ByteRange } from '@htskit/protocol';
import type { ByteSource } from '@htskit/storage';
import { BlockCache } from './block-cache.js';
import type { FastaBytes } from './fasta-bytes.js';

/** Uncompressed bytes up to which a range goes through the cache: at most five blocks of 64 KiB. */
const CACHED_BYTES = 262_144;

export interface BgzfFastaBytesOptions {
  readonly data: ByteSource;
  /** That all bytes must be of. */
  readonly version: string | undefined;
  readonly gzi: GziIndex;
  /** Inflated blocks that are kept, of at most 64 KiB each. */
  readonly cachedBlocks: number;
}

/** The uncompressed bytes of a bgzipped FASTA file. */
export function bgzfFastaBytes({ data, version, gzi, cachedBlocks }: BgzfFastaBytesOptions): FastaBytes {
  const cache = new BlockCache(cachedBlocks);

  // Without the signal of a request: others may be waiting for the same block.
  async function loadBlock(coffset: number): Promise<Uint8Array> {
    const block = await readBlock(data, coffset, { version });
    if (block === undefined) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: coffset });
    return inflateBlock(block.bytes, { coffset });
  }

  async function* cachedChunks({ start, end }: ByteRange): AsyncGenerator<Uint8Array, void> {
    for (let at = start; at < end; ) {
      const { coffset, uoffset } = locateUncompressed(gzi, at);
      const block = await cache.get(coffset, () => loadBlock(coffset));
      const chunk = block.subarray(uoffset, uoffset + end - at);
      if (chunk.length === 0) {
        throw new BgzfError('INVALID_OFFSET', 'the block is shorter than the index says', { offset: coffset });
      }
      yield chunk;
      at += chunk.length;
    }
  }

  return {
    async *chunks(range, { signal }) {
      if (range.end - range.start <= CACHED_BYTES) return yield* cachedChunks(range);
      const start = locateUncompressed(gzi, range.start);
      const end = locateUncompressed(gzi, range.end);
      for await (const { data: chunk } of inflateRange(data, { start, end }, { signal, version })) yield chunk;
    },
  };
}
