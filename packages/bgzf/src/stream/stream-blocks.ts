import { concatBytes, toOwned } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { findBlockHeader, MAX_BLOCK_SIZE } from '../block/block-layout.js';
import type { BgzfBlock } from '../block/read-block.js';

/**
 * Yields the blocks of a stream of bytes; how the bytes are chunked makes no difference. A block that lies within one
 * chunk is a view of it. `coffset` is the offset of the first byte in the file. Throws INVALID_HEADER, and TRUNCATED if
 * the bytes end within a block.
 */
export async function* streamBlocks(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly coffset?: number } = {},
): AsyncGenerator<BgzfBlock> {
  const blocks = new BlockSplitter(options.coffset ?? 0);
  for await (const chunk of chunks) yield* blocks.push(chunk);
  blocks.walker.finish();
}

/**
 * Cuts bytes into blocks. They arrive in chunks of any size, each of which is valid until the next one is pushed. The caller checks
 * with `walker` where the bytes end.
 */
export class BlockSplitter {
  readonly walker: BlockWalker;
  #parts: Uint8Array[] = [];

  constructor(coffset: number) {
    this.walker = new BlockWalker(coffset);
  }

  /** Yields the blocks that end in `chunk`. A block that lies within it is a view of it. */
  *push(chunk: Uint8Array): Generator<BgzfBlock, void> {
    for (let offset = 0; offset < chunk.length; ) {
      const end = this.walker.advance(chunk, offset);
      const part = chunk.subarray(offset, end);
      offset = end;
      // The memory of the chunk may be used for the next one.
      this.#parts.push(this.walker.isBetweenBlocks ? part : toOwned(part));
      if (!this.walker.isBetweenBlocks) continue;
      const bytes = concatBytes(this.#parts);
      this.#parts = [];
      yield { coffset: this.walker.coffset - bytes.length, bytes };
    }
  }
}

/** Follows the chain of blocks through chunks of any size. It holds no bytes but those of an incomplete header. */
export class BlockWalker {
  #coffset: number;
  /** Bytes of the current block so far. */
  #seen = 0;
  /** Size of the current block, or 0 while its header is incomplete. */
  #blockSize = 0;
  /** The first `#seen` bytes of the current block while its header is incomplete. */
  #head: Uint8Array | undefined;

  constructor(coffset: number) {
    this.#coffset = coffset;
  }

  /** Bytes from the start of the file to the current block: the first one that has not ended. */
  get coffset(): number {
    return this.#coffset;
  }

  /** Whether the bytes so far end at the end of a block. */
  get isBetweenBlocks(): boolean {
    return this.#seen === 0;
  }

  /**
   * Consumes the bytes of `chunk` from `offset` to the end of their block or of the chunk, and returns that index.
   * Throws INVALID_HEADER.
   */
  advance(chunk: Uint8Array, offset: number): number {
    if (this.#blockSize === 0) this.#blockSize = this.#findBlockSize(chunk, offset);
    const left = chunk.length - offset;
    const step = this.#blockSize === 0 ? left : Math.min(left, this.#blockSize - this.#seen);
    this.#seen += step;
    if (this.#seen === this.#blockSize) {
      this.#coffset += this.#blockSize;
      this.#seen = 0;
      this.#blockSize = 0;
    }
    return offset + step;
  }

  /** Throws TRUNCATED if the bytes so far end within a block. */
  finish(): void {
    if (this.isBetweenBlocks) return;
    const expected = this.#blockSize === 0 ? 'a whole block header' : `a block of ${this.#blockSize} bytes`;
    throw new BgzfError('TRUNCATED', `expected ${expected}, found ${this.#seen} bytes`, { offset: this.#coffset });
  }

  /** Throws INVALID_OFFSET if no block ends at `coffset`, and TRUNCATED if the bytes so far end before it. */
  finishAt(coffset: number): void {
    const isBeyond = this.#coffset > coffset || (this.#coffset < coffset && this.#coffset + this.#seen >= coffset);
    if (isBeyond) {
      const message = 'expected the start of a block, found the middle of one';
      throw new BgzfError('INVALID_OFFSET', message, { offset: coffset });
    }
    this.finish();
    if (this.#coffset < coffset) {
      throw new BgzfError('TRUNCATED', `expected bytes up to ${coffset}, found the end`, { offset: this.#coffset });
    }
  }

  /**
   * Returns the size of the block whose first `#seen` bytes were consumed and whose next byte is at `offset`, or 0 if
   * its header does not end within the chunk.
   */
  #findBlockSize(chunk: Uint8Array, offset: number): number {
    if (this.#seen === 0) {
      const header = findBlockHeader(chunk, { offset, coffset: this.#coffset });
      if (header !== undefined) return header.blockSize;
    }
    this.#head ??= new Uint8Array(MAX_BLOCK_SIZE);
    const added = chunk.subarray(offset, offset + MAX_BLOCK_SIZE - this.#seen);
    this.#head.set(added, this.#seen);
    const head = this.#head.subarray(0, this.#seen + added.length);
    return findBlockHeader(head, { offset: 0, coffset: this.#coffset })?.blockSize ?? 0;
  }
}
