import type { BlockWalker } from './block-walker.js';
import { concatBytes } from './concat-bytes.js';
import type { BgzfBlock } from './read-block.js';

/** Puts blocks together from chunks of any size that are pushed one by one. */
export class BlockSplitter {
  readonly #walker: BlockWalker;
  /** What there is of the block that has not ended. */
  #parts: Uint8Array[] = [];

  constructor(walker: BlockWalker) {
    this.#walker = walker;
  }

  /** The blocks that end in `chunk`; one that lies within it is a view. Throws INVALID_HEADER. */
  *push(chunk: Uint8Array): Generator<BgzfBlock, void> {
    for (let at = 0; at < chunk.length; ) {
      const end = this.#walker.advance(chunk, at);
      this.#parts.push(chunk.subarray(at, end));
      at = end;
      if (!this.#walker.isBetweenBlocks) continue;
      const bytes = concatBytes(this.#parts);
      this.#parts = [];
      yield { coffset: this.#walker.coffset - bytes.length, bytes };
    }
  }
}
