import type { BorrowedBytes } from '@htskit/io';
import { GrowingBytes } from '@htskit/io/internal';
import { acquireInflater } from '../block/block-inflater.js';
import { BlockSplitter } from './stream-blocks.js';

/** Bytes of data from which on a piece is complete. */
const PIECE_BYTES = 2 ** 20;

/**
 * Yields the uncompressed data of a stream of blocks, in order and verified. The first piece is that of the first block; later ones
 * are those of all blocks that end in a chunk, up to 1 MiB. A piece is valid until the iteration continues or ends. Records are cut
 * less often than by the blocks of `inflateStream`, whose errors it throws after the same data.
 */
export async function* inflatePieces(
  chunks: AsyncIterable<Uint8Array>,
  { coffset = 0 }: { readonly coffset?: number } = {},
): AsyncGenerator<BorrowedBytes, void> {
  const { inflater, release } = acquireInflater();
  const splitter = new BlockSplitter(coffset);
  const piece = new GrowingBytes();
  let pieceBytes = 1;
  try {
    for await (const chunk of chunks) {
      let failure: { readonly error: unknown } | undefined;
      try {
        for (const block of splitter.push(chunk)) {
          piece.append(inflater.inflate(block.bytes, block));
          if (piece.byteLength < pieceBytes) continue;
          yield piece.bytes as BorrowedBytes;
          piece.clear();
          pieceBytes = PIECE_BYTES;
        }
      } catch (error) {
        failure = { error };
      }
      if (piece.byteLength > 0) yield piece.bytes as BorrowedBytes;
      if (failure !== undefined) throw failure.error;
      piece.clear();
    }
    splitter.walker.finish();
  } finally {
    release();
  }
}
