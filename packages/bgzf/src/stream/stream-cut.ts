import { type ByteRange, type ByteSource, peek, type ReadOptions, readChunks } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { withInflater } from '../block/block-inflater.js';
import { type DeflateOptions, deflateBlocks } from '../block/deflate-blocks.js';
import { type BlockSlice, inflateSlice } from '../block/inflate-blocks.js';
import { readBlock } from '../block/read-block.js';
import type { CodecEngine } from '../engines/codec-engine.js';
import { checkVirtualRange, type VirtualRange } from '../virtual-offset.js';
import { BlockWalker } from './stream-blocks.js';

export interface CutOptions extends ReadOptions, Omit<DeflateOptions, 'engine'> {
  /** Default `defaultEngine()`. */
  readonly engine?: CodecEngine;
}

/**
 * Yields BGZF that holds exactly the uncompressed data of `range`, without an EOF marker. Blocks that lie wholly within
 * the range are passed through unchanged, in the chunks that the source streams; only the two edges are inflated and
 * compressed again at `level`. Stopping early cancels the source's stream. Throws INVALID_OFFSET if `range` does not
 * fit the blocks, TRUNCATED if the file ends before the range does, and as `inflateBlock`.
 *
 * @example
 * for await (const chunk of streamCut(source, { start, end })) output.write(chunk);
 * output.end(EOF_MARKER);
 */
export async function* streamCut(
  source: Pick<ByteSource, 'read' | 'stream'>,
  range: VirtualRange,
  options: CutOptions = {},
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

/**
 * Returns a slice of the block at `coffset` as BGZF, the block itself if the slice is all of it, and where the block
 * ends.
 */
async function cutBlock(
  source: Pick<ByteSource, 'read'>,
  coffset: number,
  { slice, options }: { readonly slice: BlockSlice; readonly options: CutOptions },
): Promise<{ bytes: Uint8Array; blockEnd: number }> {
  const block = await readBlock(source, coffset, options);
  if (block === undefined) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: coffset });
  const bytes = withInflater(options.engine, (inflater) => {
    const { data, isWhole } = inflateSlice(inflater, block, slice);
    return isWhole ? block.bytes : deflateBlocks(peek(data), options);
  });
  return { bytes, blockEnd: coffset + block.bytes.length };
}

/** Passes the bytes of `range` through, and checks that their block headers form a chain from its start to its end. */
async function* streamWholeBlocks(
  source: Pick<ByteSource, 'stream'>,
  range: ByteRange,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  const walker = new BlockWalker(range.start);
  if (range.start < range.end) {
    for await (const chunk of readChunks(source.stream(range, options))) {
      for (let offset = 0; offset < chunk.length; ) offset = walker.advance(chunk, offset);
      yield chunk;
    }
  }
  walker.finishAt(range.end);
}
