import type { TicketBlock } from '@htskit/protocol';
import { parseRange, type ResourcePart, rangeHeader } from '../resource/resource.js';
import { decodeDataUri, isDataUri } from './parse-ticket.js';

/** A part of one block. */
export interface BlockPart extends ResourcePart {
  /** Index of the block in the ticket. */
  readonly index: number;
  /** Whether the block ends with this part. */
  readonly isLast: boolean;
}

/** The progress of a download: all blocks before `index`, and `byte` bytes of that block, were delivered. */
export interface BlockPosition {
  readonly index: number;
  readonly byte: number;
}

/**
 * Yields the parts from a position on, in order. A block with a `Range` header of known length is cut if it is longer than
 * `splitBytes` (htsget 1.3.1, "Result rules" 5).
 */
export function* planParts(
  blocks: readonly TicketBlock[],
  from: BlockPosition,
  splitBytes: number,
): Generator<BlockPart, void> {
  for (const [index, block] of blocks.entries()) {
    if (index < from.index) continue;
    let start = index === from.index ? from.byte : 0;
    const length = blockLength(block);
    const isSplit = length !== undefined && length - start > splitBytes;
    for (; isSplit && length - start > splitBytes; start += splitBytes) {
      yield { index, resource: block, start, end: start + splitBytes, isSplit, isLast: false };
    }
    yield { index, resource: block, start, end: length, isSplit, isLast: true };
  }
}

/** Returns the bytes of a block if its `Range` header declares them. */
export function blockLength(block: TicketBlock): number | undefined {
  const range = isDataUri(block.url) ? undefined : parseRange(rangeHeader(block));
  return range?.end === undefined ? undefined : range.end - range.start;
}

/** Adds up the bytes of all blocks as they become known. */
export class BlockTotals {
  readonly #lengths: (number | undefined)[];
  #unknownCount: number;
  #sum: number;

  constructor(blocks: readonly TicketBlock[]) {
    this.#lengths = blocks.map((block) =>
      isDataUri(block.url) ? decodeDataUri(block.url).length : blockLength(block),
    );
    this.#unknownCount = this.#lengths.filter((length) => length === undefined).length;
    this.#sum = this.#lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  }

  /** Records the bytes of one block and returns those of all, or undefined while some are unknown. */
  sumWith(index: number, length: number | undefined): number | undefined {
    if (this.#lengths[index] === undefined && length !== undefined) {
      this.#lengths[index] = length;
      this.#unknownCount--;
      this.#sum += length;
    }
    return this.#unknownCount === 0 ? this.#sum : undefined;
  }
}
