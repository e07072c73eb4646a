import { BgzfError, type BgzfPool, BlockInflater, streamBlocks } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';
import type { InflatedBlock } from './block-window.js';
import { inflateInPool } from './inflate-in-pool.js';

/** Of everything that reads a file to index it. */
export interface IndexStreamOptions {
  /** Inflates on all processors. Without one, the caller's thread does. */
  readonly pool?: BgzfPool | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes of the file, as it is stored, were read: after each block. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
  /** Refuse a header of more bytes, uncompressed, and names of sequences in a text. Default 128 MiB. */
  readonly maxHeaderBytes?: number | undefined;
  /** Refuse an index of more bytes, uncompressed. Default 1 GiB. */
  readonly maxIndexBytes?: number | undefined;
}

/** Uncompressed bytes after which others get their turn: some hundred milliseconds. A chunk may hold a thousand times its size. */
const TURN_BYTES = 2 ** 24;

/** Default of `maxHeaderBytes`. */
export const MAX_HEADER_BYTES: number = 2 ** 27;

/**
 * The blocks of a file, inflated; `data` is valid until the iteration goes on. Throws `IndexError` INVALID_MAGIC for a file
 * that does not begin with a BGZF block, BgzfError for a later block that is damaged, and what the signal was aborted with.
 */
export async function* inflateBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { pool, signal, onProgress }: IndexStreamOptions,
): AsyncGenerator<InflatedBlock, void> {
  signal?.throwIfAborted();
  let isEmpty = true;
  let turnBytes = 0;
  try {
    for await (const block of pool === undefined ? inflateHere(chunks) : inflateInPool(chunks, pool)) {
      signal?.throwIfAborted();
      isEmpty = false;
      turnBytes += block.data.length;
      yield block;
      onProgress?.(block.nextCoffset);
      if (turnBytes < TURN_BYTES) continue;
      turnBytes = 0;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  } catch (error) {
    if (error instanceof BgzfError && error.code === 'INVALID_HEADER' && error.offset === 0) throw notBgzf(error);
    throw error;
  }
  if (isEmpty) throw notBgzf();
}

async function* inflateHere(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InflatedBlock, void> {
  const inflater = new BlockInflater();
  for await (const { coffset, bytes } of streamBlocks(chunks)) {
    yield { coffset, nextCoffset: coffset + bytes.length, data: inflater.inflate(bytes, { coffset }) };
  }
}

function notBgzf(cause?: unknown): IndexError {
  const message = 'only a file that is compressed as BGZF, by bgzip, can be indexed';
  return new IndexError('INVALID_MAGIC', message, { offset: 0, cause });
}
