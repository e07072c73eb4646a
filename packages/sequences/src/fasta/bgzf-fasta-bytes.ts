import { BgzfError, type GziIndex, inflateBlock, inflateRange, locateUncompressed, readBlock } from '@htskit/bgzf';
import type { ByteSource } from '@htskit/io';
import { BlockCache } from './block-cache.js';
import type { FastaBytes } from './fasta-bytes.js';

export interface BgzfFastaBytesOptions {
  readonly data: ByteSource;
  /** That all bytes must be of. */
  readonly version: string | undefined;
  readonly gzi: GziIndex;
  /** Inflated blocks that are kept, of at most 64 KiB each. */
  readonly cachedBlocks: number;
}

/** The uncompressed bytes of a bgzipped FASTA file. Reads keep the blocks that they inflate, streams do not. */
export function bgzfFastaBytes({ data, version, gzi, cachedBlocks }: BgzfFastaBytesOptions): FastaBytes {
  const cache = new BlockCache(cachedBlocks);

  // Without the signal of a request: others may be waiting for the same block.
  async function loadBlock(coffset: number): Promise<Uint8Array> {
    const block = await readBlock(data, coffset, { version });
    if (block === undefined) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: coffset });
    return inflateBlock(block.bytes, { coffset });
  }

  return {
    async read({ start, end }, signal) {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end; ) {
        signal?.throwIfAborted();
        const { coffset, uoffset } = locateUncompressed(gzi, at);
        const block = await cache.get(coffset, () => loadBlock(coffset));
        const part = block.subarray(uoffset, uoffset + end - at);
        if (part.length === 0) {
          throw new BgzfError('INVALID_OFFSET', 'the block is shorter than the index says', { offset: coffset });
        }
        bytes.set(part, at - start);
        at += part.length;
      }
      return bytes;
    },
    async *chunks(range, signal) {
      const start = locateUncompressed(gzi, range.start);
      const end = locateUncompressed(gzi, range.end);
      for await (const { data: chunk } of inflateRange(data, { start, end }, { signal, version })) yield chunk;
    },
  };
}
