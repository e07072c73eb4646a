import { BgzfError, type BgzfPool, BlockInflater, GziBuilder, streamBlocks } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';
import type { InflatedBlock } from './block-window.js';

/** Options of all functions that index a BGZF file. */
export interface IndexStreamOptions {
  /** Decompresses on all processors. By default the calling thread does. */
  readonly pool?: BgzfPool | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each block with the number of compressed bytes read so far. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
  /** Limit of the uncompressed size of the header, and of the sequence names of a text file, in bytes. Default 128 MiB. */
  readonly maxHeaderBytes?: number | undefined;
  /** Limit of the uncompressed size of the index in bytes. Default 1 GiB. */
  readonly maxIndexBytes?: number | undefined;
}

/**
 * Uncompressed bytes after which the event loop gets a turn, about every hundred milliseconds. They are counted after decompression,
 * because a chunk can expand to a thousand times its size.
 */
const TURN_BYTES = 2 ** 24;

/** Default of `maxHeaderBytes`. */
export const MAX_HEADER_BYTES: number = 2 ** 27;

/**
 * Decompresses the blocks of a file in order. `data` is valid until the next iteration. Throws `IndexError` INVALID_MAGIC if
 * the file does not begin with a BGZF block, `BgzfError` if a later block is damaged, and the reason of the signal.
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
    if (error instanceof BgzfError && error.code === 'INVALID_HEADER' && error.offset === 0)
      throw toNotBgzfError(error);
    throw error;
  }
  if (isEmpty) throw toNotBgzfError();
}

function toNotBgzfError(cause?: unknown): IndexError {
  return new IndexError('INVALID_MAGIC', 'not a BGZF file; compress it with bgzip', { offset: 0, cause });
}

async function* inflateHere(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InflatedBlock, void> {
  const inflater = new BlockInflater();
  for await (const { coffset, bytes } of streamBlocks(chunks)) {
    yield { coffset, nextCoffset: coffset + bytes.length, data: inflater.inflate(bytes, { coffset }) };
  }
}

interface BlockEntry {
  readonly coffset: number;
  readonly isize: number;
}

/** Collects the offsets and sizes of the blocks that a pool decompresses. */
class BlockLog extends GziBuilder {
  #entries: BlockEntry[] = [];

  override add(coffset: number, isize: number): void {
    this.#entries.push({ coffset, isize });
  }

  /** Returns the blocks since the last call. */
  take(): BlockEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/**
 * Decompresses blocks in a pool, which returns pieces of several blocks. The end of a block is the start of the next one, so
 * the last block of a piece is kept until the next piece arrives. Throws the errors of `BgzfPool.inflate`.
 */
async function* inflateInPool(chunks: AsyncIterable<Uint8Array>, pool: BgzfPool): AsyncGenerator<InflatedBlock, void> {
  const log = new BlockLog();
  let fileLength = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      fileLength += chunk.length;
      yield chunk;
    }
  }
  let last: Pick<InflatedBlock, 'coffset' | 'data'> | undefined;
  for await (const piece of pool.inflate(counted(), { gzi: log })) {
    let offset = 0;
    for (const { coffset, isize } of log.take()) {
      if (last !== undefined) yield { ...last, nextCoffset: coffset };
      last = { coffset, data: piece.subarray(offset, offset + isize) };
      offset += isize;
    }
    // The piece is only valid until the next iteration.
    if (last !== undefined) last = { coffset: last.coffset, data: last.data.slice() };
  }
  const rest = log.take();
  last ??= rest[0] && { coffset: rest[0].coffset, data: new Uint8Array(0) };
  if (last !== undefined) yield { ...last, nextCoffset: rest[0]?.coffset ?? fileLength };
}
