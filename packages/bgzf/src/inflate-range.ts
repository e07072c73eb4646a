import { BgzfError } from './bgzf-error.js';
import { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
import { MAX_BLOCK_SIZE } from './block-header.js';
import { BlockWalker } from './block-walker.js';
import { inflateSlice } from './inflate-slice.js';
import type { BgzfBlock } from './read-block.js';
import { walkBlocks } from './stream-blocks.js';
import { checkVirtualRange, type VirtualOffset, type VirtualRange } from './virtual-offset.js';

/** Uncompressed data of one block, or a part of it; `coffset` and `uoffset` are the virtual offset of `data[0]`. */
export interface InflatedSpan extends VirtualOffset {
  readonly data: Uint8Array;
}

/**
 * The uncompressed data of `range`, block by block, with one stream of the source; spans are never empty.
 * Stopping early cancels the stream. Throws INVALID_OFFSET if `range` does not fit the blocks, TRUNCATED if the file ends
 * before it does, and as `inflateBlock`.
 */
export async function* inflateRange(
  source: BgzfSource,
  range: VirtualRange,
  options?: SourceOptions,
): AsyncGenerator<InflatedSpan> {
  checkVirtualRange(range);
  const { start, end } = range;
  if (start.coffset === end.coffset && start.uoffset === end.uoffset) return;
  // The size of the last block is not known beforehand; reading one block too far saves a second request.
  const byteEnd = end.uoffset > 0 ? end.coffset + MAX_BLOCK_SIZE : end.coffset;
  const chunks = readChunks(source.stream({ start: start.coffset, end: byteEnd }, options));
  const walker = new BlockWalker(start.coffset);
  for await (const block of walkBlocks(chunks, walker)) {
    if (block.coffset > end.coffset) break;
    const span = inflateSpan(block, range);
    if (span.data.length > 0) yield span;
    if (block.coffset === end.coffset) return;
  }
  walker.finishAt(end.coffset);
  if (end.uoffset > 0) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: end.coffset });
}

function inflateSpan(block: BgzfBlock, { start, end }: VirtualRange): InflatedSpan {
  const { coffset } = block;
  const uoffset = coffset === start.coffset ? start.uoffset : 0;
  const { data } = inflateSlice(block, { start: uoffset, end: coffset === end.coffset ? end.uoffset : undefined });
  return { data, coffset, uoffset };
}
