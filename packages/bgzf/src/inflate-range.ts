import { BgzfError } from './bgzf-error.js';
import { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
import { MAX_BLOCK_SIZE } from './block-header.js';
import { BlockWalker } from './block-walker.js';
import { inflateSlice } from './inflate-slice.js';
import type { InflatedSpan, SpanOptions } from './inflate-stream.js';
import { borrowInflater } from './pooled-inflater.js';
import { walkBlocks } from './stream-blocks.js';
import { checkVirtualRange, type VirtualRange } from './virtual-offset.js';

/**
 * The uncompressed data of `range`, block by block, with one stream of the source; spans are never empty, and valid until
 * the iteration goes on or ends. Stopping early cancels the stream. Throws INVALID_OFFSET if `range` does not fit the
 * blocks, TRUNCATED if the file ends before it does, and as `BlockInflater.inflate`.
 */
export async function* inflateRange(
  source: BgzfSource,
  range: VirtualRange,
  options: SourceOptions & SpanOptions = {},
): AsyncGenerator<InflatedSpan, void> {
  checkVirtualRange(range);
  const { start, end } = range;
  if (start.coffset === end.coffset && start.uoffset === end.uoffset) return;
  // The size of the last block is not known beforehand; reading one block too far saves a second request.
  const byteEnd = end.uoffset > 0 ? end.coffset + MAX_BLOCK_SIZE : end.coffset;
  const chunks = readChunks(source.stream({ start: start.coffset, end: byteEnd }, options));
  const walker = new BlockWalker(start.coffset);
  const { inflater, release } = borrowInflater(options.engine);
  try {
    for await (const block of walkBlocks(chunks, walker)) {
      const { coffset } = block;
      if (coffset > end.coffset) break;
      const uoffset = coffset === start.coffset ? start.uoffset : 0;
      const slice = { start: uoffset, end: coffset === end.coffset ? end.uoffset : undefined };
      const { data } = inflateSlice(inflater, block, slice);
      if (data.length > 0) yield { data: options.copy === true ? data.slice() : data, coffset, uoffset };
      if (coffset === end.coffset) return;
    }
  } finally {
    release();
  }
  walker.finishAt(end.coffset);
  if (end.uoffset > 0) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: end.coffset });
}
