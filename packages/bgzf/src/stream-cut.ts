import { BgzfError } from './bgzf-error.js';
import { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
import { BlockWalker } from './block-walker.js';
import { type DeflateOptions, deflateBlocks } from './deflate-blocks.js';
import { type BlockSlice, inflateSlice } from './inflate-slice.js';
import { withInflater } from './pooled-inflater.js';
import { readBlock } from './read-block.js';
import { checkVirtualRange, type VirtualRange } from './virtual-offset.js';

/**
 * BGZF bytes that hold exactly the uncompressed data of `range`, without an EOF marker. Blocks that lie wholly inside
 * pass through untouched, as the chunks that the source streams; only the two edges are inflated and re-blocked, at `level`.
 * Stopping early cancels the source's stream. Throws INVALID_OFFSET if `range` does not fit the blocks, TRUNCATED if the
 * file ends before it does, and as `inflateBlock`.
 */
export async function* streamCut(
  source: BgzfSource,
  range: VirtualRange,
  options: SourceOptions & DeflateOptions = {},
): AsyncGenerator<Uint8Array, void> {
  checkVirtualRange(range);
  const { start, end } = range;
  if (start.coffset === end.coffset) {
    if (start.uoffset === end.uoffset) return;
    yield (await cutBlock(source, end.coffset, { slice: { start: start.uoffset, end: end.uoffset }, options })).bytes;
    return;
  }
  let middleStart = start.coffset;
  if (start.uoffset > 0) {
    const slice = { start: start.uoffset, end: undefined };
    const { bytes, blockEnd } = await cutBlock(source, start.coffset, { slice, options });
    if (bytes.length > 0) yield bytes;
    middleStart = blockEnd;
  }
  yield* streamWholeBlocks(source, { start: middleStart, end: end.coffset }, options);
  if (end.uoffset > 0) {
    yield (await cutBlock(source, end.coffset, { slice: { start: 0, end: end.uoffset }, options })).bytes;
  }
}

/** A slice of the block at `coffset` as BGZF, which is the block itself if that is all of it, and where the block ends. */
async function cutBlock(
  source: BgzfSource,
  coffset: number,
  { slice, options }: { readonly slice: BlockSlice; readonly options: SourceOptions & DeflateOptions },
): Promise<{ bytes: Uint8Array; blockEnd: number }> {
  const block = await readBlock(source, coffset, options);
  if (block === undefined) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: coffset });
  const bytes = withInflater(options.engine, (inflater) => {
    const { data, isWhole } = inflateSlice(inflater, block, slice);
    return isWhole ? block.bytes : deflateBlocks(data, options);
  });
  return { bytes, blockEnd: coffset + block.bytes.length };
}

/** The bytes of `range` as they come, while the headers in them are checked to chain from its start to its end. */
async function* streamWholeBlocks(
  source: BgzfSource,
  range: { readonly start: number; readonly end: number },
  options: SourceOptions,
): AsyncGenerator<Uint8Array, void> {
  const walker = new BlockWalker(range.start);
  if (range.start < range.end) {
    for await (const chunk of readChunks(source.stream(range, options))) {
      for (let at = 0; at < chunk.length; ) at = walker.advance(chunk, at);
      yield chunk;
    }
  }
  walker.finishAt(range.end);
}
