import { peekBlockClaim } from '@htskit/htsget/internal';
import type { Ticket, TicketBlock } from '@htskit/protocol';

/** Bytes [start, end) of the stored file. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** How a block of a ticket is made. */
export type BlockKind = 'inline' | 'stored' | 'cut' | 'converted';

/** A block of a ticket and the part of the stored file that it is made from. */
export interface ShownBlock {
  readonly kind: BlockKind;
  readonly class: 'header' | 'body' | undefined;
  readonly ranges: readonly FileRange[];
  /** Whether the last range may end earlier: a cut ends within a BGZF block, whose length the URL does not say. */
  readonly isBound: boolean;
  /** The length of an inline block, or of one of whole stored bytes. */
  readonly bytes: number | undefined;
  /** The host that sends the block, if it is another one than that of the ticket. */
  readonly host: string | undefined;
}

const RANGE = /^bytes=(\d+)-(\d+)$/;

/** The greatest length of a BGZF block (SAMv1 §4.1). */
const BLOCK_BYTES = 65_536;

/** Describes the blocks of a ticket. `fileBytes` is the length of the stored file. */
export function describeBlocks(
  { htsget: { urls } }: Ticket,
  { fileBytes, host }: { readonly fileBytes: number; readonly host: string },
): readonly ShownBlock[] {
  return urls.map((block) => describeBlock(block, { fileBytes, host }));
}

function describeBlock(
  { url, headers = {}, class: part }: TicketBlock,
  { fileBytes, host }: { readonly fileBytes: number; readonly host: string },
): ShownBlock {
  if (url.startsWith('data:')) {
    return {
      kind: 'inline',
      class: part,
      ranges: [],
      isBound: false,
      bytes: decodeDataUri(url).length,
      host: undefined,
    };
  }
  const { pathname, host: sender } = new URL(url);
  const common = { class: part, host: sender === host ? undefined : sender };
  const range = Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  if (first !== undefined && last !== undefined) {
    const [start, end] = [Number(first), Number(last) + 1];
    return { ...common, kind: 'stored', ranges: [{ start, end }], isBound: false, bytes: end - start };
  }
  const claim = peekBlockClaim(pathname.slice(pathname.lastIndexOf('/') + 1));
  const segments = claim?.segments ?? [];
  const ranges = segments.flatMap((segment): FileRange[] => {
    if (segment.kind === 'header' || segment.kind === 'end') return [];
    if (segment.kind === 'range') return [{ start: segment.start, end: segment.end }];
    const { start, end } = segment;
    return [
      { start: start.coffset, end: end.uoffset === 0 ? end.coffset : Math.min(fileBytes, end.coffset + BLOCK_BYTES) },
    ];
  });
  const isBound = segments.some((segment) => segment.kind === 'cut' && segment.end.uoffset > 0);
  if (claim?.from !== undefined) return { ...common, kind: 'converted', ranges, isBound, bytes: undefined };
  const isStored = segments.every(({ kind }) => kind === 'range') && claim?.selection === undefined;
  const bytes = isStored ? ranges.reduce((sum, { start, end }) => sum + end - start, 0) : undefined;
  return { ...common, kind: isStored ? 'stored' : 'cut', ranges, isBound, bytes };
}

/** Decodes a data URI as htsget services write it: base64 after the comma. */
export function decodeDataUri(uri: string): Uint8Array<ArrayBuffer> {
  const text = atob(decodeURIComponent(uri.slice(uri.indexOf(',') + 1)));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns the smallest range that holds all ranges of some blocks, or undefined for blocks without any. */
export function spanOf(blocks: readonly Pick<ShownBlock, 'ranges'>[]): FileRange | undefined {
  const ranges = blocks.flatMap((block) => block.ranges);
  if (ranges.length === 0) return undefined;
  return { start: Math.min(...ranges.map(({ start }) => start)), end: Math.max(...ranges.map(({ end }) => end)) };
}

/** Returns how many bytes of the file some blocks are made from, each counted once: cuts may share a block. */
export function coveredBytes(blocks: readonly Pick<ShownBlock, 'ranges'>[]): number {
  let bytes = 0;
  let covered = 0;
  const ranges = blocks.flatMap((block) => block.ranges).toSorted((a, b) => a.start - b.start);
  for (const { start, end } of ranges) {
    bytes += Math.max(0, end - Math.max(start, covered));
    covered = Math.max(covered, end);
  }
  return bytes;
}
