import type { TicketBlock } from '@htskit/protocol';
import { decodeDataUri, isDataUri } from './data-uri.js';
import { blockLength } from './plan-parts.js';

/** Adds up the bytes of all blocks as they become known. */
export class BlockTotals {
  readonly #lengths: (number | undefined)[];
  #unknown: number;
  #sum: number;

  constructor(blocks: readonly TicketBlock[]) {
    this.#lengths = blocks.map((block) =>
      isDataUri(block.url) ? decodeDataUri(block.url).length : blockLength(block),
    );
    this.#unknown = this.#lengths.filter((length) => length === undefined).length;
    this.#sum = this.#lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  }

  /** Of all blocks, now that one is known; undefined while others are not. */
  sumWith(rank: number, length: number | undefined): number | undefined {
    if (this.#lengths[rank] === undefined && length !== undefined) {
      this.#lengths[rank] = length;
      this.#unknown--;
      this.#sum += length;
    }
    return this.#unknown === 0 ? this.#sum : undefined;
  }
}
