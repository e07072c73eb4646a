import { BgzfError } from './bgzf-error.js';
import { findBlockHeader, MAX_BLOCK_SIZE } from './block-header.js';

/** Follows the chain of blocks through chunks of any size, and keeps no bytes but those of one unfinished header. */
export class BlockWalker {
  /** Bytes from the start of the file to the first block that has not ended yet. */
  #coffset: number;
  /** Bytes of that block: how many there have been, and its size, 0 while its header is unfinished. */
  #seen = 0;
  #blockSize = 0;
  /** The first `#seen` bytes of a block whose header is unfinished. */
  #head: Uint8Array | undefined;

  constructor(coffset: number) {
    this.#coffset = coffset;
  }

  /** Bytes from the start of the file to the first block that has not ended yet. */
  get coffset(): number {
    return this.#coffset;
  }

  /** Whether no block has begun that has not ended. */
  get isBetweenBlocks(): boolean {
    return this.#seen === 0;
  }

  /**
   * Takes the bytes of `chunk` from `at` to the end of the block that they belong to, or of the chunk; returns that index.
   * Throws INVALID_HEADER.
   */
  advance(chunk: Uint8Array, at: number): number {
    if (this.#blockSize === 0) this.#blockSize = this.#findBlockSize(chunk, at);
    const left = chunk.length - at;
    const step = this.#blockSize === 0 ? left : Math.min(left, this.#blockSize - this.#seen);
    this.#seen += step;
    if (this.#seen === this.#blockSize) {
      this.#coffset += this.#blockSize;
      this.#seen = 0;
      this.#blockSize = 0;
    }
    return at + step;
  }

  /** Throws TRUNCATED if the bytes so far end within a block. */
  finish(): void {
    if (this.isBetweenBlocks) return;
    const expected = this.#blockSize === 0 ? 'a whole block header' : `a block of ${this.#blockSize} bytes`;
    throw new BgzfError('TRUNCATED', `expected ${expected}, found ${this.#seen} bytes`, { offset: this.#coffset });
  }

  /** Throws INVALID_OFFSET if no block ends at `coffset`, TRUNCATED if the bytes so far end before it. */
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

  /** The size of the block whose `#seen` bytes lie before `at`, or 0 if its header does not end within the chunk. */
  #findBlockSize(chunk: Uint8Array, at: number): number {
    if (this.#seen === 0) {
      const header = findBlockHeader(chunk, { at, coffset: this.#coffset });
      if (header !== undefined) return header.blockSize;
    }
    this.#head ??= new Uint8Array(MAX_BLOCK_SIZE);
    const added = chunk.subarray(at, at + MAX_BLOCK_SIZE - this.#seen);
    this.#head.set(added, this.#seen);
    const head = this.#head.subarray(0, this.#seen + added.length);
    return findBlockHeader(head, { at: 0, coffset: this.#coffset })?.blockSize ?? 0;
  }
}
