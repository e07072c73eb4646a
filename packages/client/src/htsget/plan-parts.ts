import type { TicketBlock } from '@htskit/protocol';
import { parseRange, type ResourcePart, rangeHeader } from '../resource/resource.js';
import { isDataUri } from './data-uri.js';

/** A part of one block. */
export interface BlockPart extends ResourcePart {
  /** Of the block in the ticket, from 0. */
  readonly rank: number;
  /** Whether the block ends with it. */
  readonly isLast: boolean;
}

/** Where a download stands: so many bytes of the block of this rank were given out, and all blocks before. */
export interface BlockPosition {
  readonly rank: number;
  readonly byte: number;
}

/**
 * The parts from a position on, in order. A block with a `Range` header of known length that is longer than `splitBytes`
 * is cut (htsget 1.3.1, "Result rules" 5).
 */
export function* planParts(
  blocks: readonly TicketBlock[],
  from: BlockPosition,
  splitBytes: number,
): Generator<BlockPart, void> {
  for (const [rank, block] of blocks.entries()) {
    if (rank < from.rank) continue;
    let start = rank === from.rank ? from.byte : 0;
    const length = blockLength(block);
    const isSplit = length !== undefined && length - start > splitBytes;
    for (; isSplit && length - start > splitBytes; start += splitBytes) {
      yield { rank, resource: block, start, end: start + splitBytes, isSplit, isLast: false };
    }
    yield { rank, resource: block, start, end: length, isSplit, isLast: true };
  }
}

/** Bytes of the block, as far as its `Range` header tells. */
export function blockLength(block: TicketBlock): number | undefined {
  const range = isDataUri(block.url) ? undefined : parseRange(rangeHeader(block));
  return range?.end === undefined ? undefined : range.end - range.start;
}
