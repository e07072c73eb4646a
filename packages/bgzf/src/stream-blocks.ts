import { BlockSplitter } from './block-splitter.js';
import { BlockWalker } from './block-walker.js';
import type { BgzfBlock } from './read-block.js';

/**
 * The blocks of a stream of bytes; any chunking of the same bytes gives the same blocks. A block within one chunk is a
 * view of it. `coffset` is the offset of the first byte in the file. Throws INVALID_HEADER, TRUNCATED at a partial tail.
 */
export async function* streamBlocks(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly coffset?: number | undefined } = {},
): AsyncGenerator<BgzfBlock> {
  const walker = new BlockWalker(options.coffset ?? 0);
  yield* walkBlocks(chunks, walker);
  walker.finish();
}

/** The blocks that `walker` sees end in the chunks. Where the chunks may end is the caller's to check. */
export async function* walkBlocks(chunks: AsyncIterable<Uint8Array>, walker: BlockWalker): AsyncGenerator<BgzfBlock> {
  const splitter = new BlockSplitter(walker);
  for await (const chunk of chunks) yield* splitter.push(chunk);
}
