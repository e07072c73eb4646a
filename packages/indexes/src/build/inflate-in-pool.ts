import { type BgzfPool, GziBuilder } from '@htskit/bgzf';
import type { InflatedBlock } from './block-window.js';

interface BlockEntry {
  readonly coffset: number;
  readonly isize: number;
}

/** What a pool tells of the blocks that it inflated. */
class BlockLog extends GziBuilder {
  #entries: BlockEntry[] = [];

  override add(coffset: number, isize: number): void {
    this.#entries.push({ coffset, isize });
  }

  /** The blocks since the last call. */
  take(): BlockEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/**
 * The blocks of a file, inflated by a pool; `data` is valid until the iteration goes on. Where a block ends is where the next
 * one begins, so the last one of a piece waits for the next piece. Throws as `BgzfPool.inflate`.
 */
export async function* inflateInPool(
  chunks: AsyncIterable<Uint8Array>,
  pool: BgzfPool,
): AsyncGenerator<InflatedBlock, void> {
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
    let at = 0;
    for (const { coffset, isize } of log.take()) {
      if (last !== undefined) yield { ...last, nextCoffset: coffset };
      last = { coffset, data: piece.subarray(at, at + isize) };
      at += isize;
    }
    // The piece is not valid for longer.
    if (last !== undefined) last = { coffset: last.coffset, data: last.data.slice() };
  }
  const rest = log.take();
  last ??= rest[0] && { coffset: rest[0].coffset, data: new Uint8Array(0) };
  if (last !== undefined) yield { ...last, nextCoffset: rest[0]?.coffset ?? fileLength };
}
