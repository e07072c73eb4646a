import { type ByteSource, type ReadOptions, readChunks } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { acquireInflater } from '../block/block-inflater.js';
import { MAX_BLOCK_SIZE } from '../block/block-layout.js';
import { inflateSlice } from '../block/inflate-blocks.js';
import type { EngineOptions } from '../engines/codec-engine.js';
import { checkVirtualRange, type VirtualOffset, type VirtualRange } from '../virtual-offset.js';
import { BlockWalker, streamBlocks, walkBlocks } from './stream-blocks.js';

/** Uncompressed data of one block or a part of it; `coffset` and `uoffset` are the virtual offset of `data[0]`. */
export interface InflatedSpan extends VirtualOffset {
  /** At most 64 KiB. Without the option `copy` it is valid until the iteration continues or ends. */
  readonly data: Uint8Array;
}

export interface SpanOptions extends EngineOptions {
  /** Yields each span in memory of its own, which takes half as long again. Default false. */
  readonly copy?: boolean | undefined;
}

/**
 * Yields the uncompressed data of a stream of blocks, block by block, in constant memory. Spans are never empty, and
 * how the bytes are chunked makes no difference. `coffset` is the offset of the first byte in the file. Throws the same
 * errors as `streamBlocks` and `BlockInflater.inflate`, after the spans of all blocks before the faulty one.
 *
 * @example
 * for await (const { data } of inflateStream(createReadStream('genome.fa.gz'))) process.stdout.write(data);
 */
export async function* inflateStream(
  chunks: AsyncIterable<Uint8Array>,
  options: SpanOptions & { readonly coffset?: number | undefined } = {},
): AsyncGenerator<InflatedSpan, void> {
  const { inflater, release } = acquireInflater(options.engine);
  try {
    for await (const { coffset, bytes } of streamBlocks(chunks, options)) {
      const data = inflater.inflate(bytes, { coffset });
      if (data.length > 0) yield { data: options.copy === true ? data.slice() : data, coffset, uoffset: 0 };
    }
  } finally {
    release();
  }
}

/**
 * Yields the uncompressed data of `range`, block by block, from one stream of the source. Spans are never empty.
 * Stopping early cancels the stream. Throws INVALID_OFFSET if `range` does not fit the blocks, TRUNCATED if the file
 * ends before the range does, and as `BlockInflater.inflate`.
 *
 * @example
 * const range = { start: chunk.start, end: chunk.end };
 * for await (const { data, coffset, uoffset } of inflateRange(source, range)) parse(data, { coffset, uoffset });
 */
export async function* inflateRange(
  source: Pick<ByteSource, 'stream'>,
  range: VirtualRange,
  options: ReadOptions & SpanOptions = {},
): AsyncGenerator<InflatedSpan, void> {
  checkVirtualRange(range);
  const { start, end } = range;
  if (start.coffset === end.coffset && start.uoffset === end.uoffset) return;
  // The size of the last block is unknown: requesting the largest possible one saves a second request.
  const byteEnd = end.uoffset > 0 ? end.coffset + MAX_BLOCK_SIZE : end.coffset;
  const chunks = readChunks(source.stream({ start: start.coffset, end: byteEnd }, options));
  const walker = new BlockWalker(start.coffset);
  const { inflater, release } = acquireInflater(options.engine);
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
