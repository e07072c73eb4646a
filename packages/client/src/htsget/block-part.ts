import type { TicketBlock } from '@htskit/protocol';
import { isDataUri } from './data-uri.js';

/** A run of bytes of one block that is fetched at once. Positions count from the block's first byte. */
export interface BlockPart {
  /** Rank of the block in the ticket, from 0. */
  readonly rank: number;
  readonly block: TicketBlock;
  readonly start: number;
  /** Undefined: where the block ends. */
  readonly end: number | undefined;
  /** Whether it is less than what the block's own request is answered with. */
  readonly isSplit: boolean;
  /** Whether the block ends with it. */
  readonly isLast: boolean;
}

/** Where a download stands: so many bytes of the block of this rank were given out, and all blocks before. */
export interface BlockPosition {
  readonly rank: number;
  readonly byte: number;
}

/** The bytes of its resource that a block's own `Range` header asks for. */
export interface BlockRange {
  readonly start: number;
  /** Undefined: to the end of the resource. */
  readonly end: number | undefined;
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
      yield { rank, block, start, end: start + splitBytes, isSplit, isLast: false };
    }
    yield { rank, block, start, end: length, isSplit, isLast: true };
  }
}

/** Bytes of the block, as far as its `Range` header tells. */
export function blockLength(block: TicketBlock): number | undefined {
  const range = isDataUri(block.url) ? undefined : parseBlockRange(rangeHeader(block));
  return range?.end === undefined ? undefined : range.end - range.start;
}

export function rangeHeader({ headers = {} }: TicketBlock): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
}

/** Undefined for no header, and for one that is sent as it is but not understood: suffixes and several ranges. */
export function parseBlockRange(header: string | undefined): BlockRange | undefined {
  const match = header === undefined ? null : /^\s*bytes=(\d{1,15})-(\d{1,15})?\s*$/i.exec(header);
  if (match === null) return undefined;
  const [, first, last] = match;
  const range = { start: Number(first), end: last === undefined ? undefined : Number(last) + 1 };
  return range.end === undefined || range.start < range.end ? range : undefined;
}
