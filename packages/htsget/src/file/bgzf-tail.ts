import { BgzfError, EOF_MARKER, inflateBlock } from '@htskit/bgzf';
import { endsWithEofMarker, findBlock, MAX_BLOCK_SIZE, parseBlockHeader } from '@htskit/bgzf/internal';
import type { ByteSource, ReadOptions } from '@htskit/io';

/**
 * How a stored file ends: with the marker of its format; without it, but at the end of a block or container; or within one,
 * so that its end is missing.
 */
export type FileEnding = 'marked' | 'unmarked' | 'cut';

export interface FileTail {
  readonly ending: FileEnding;
  /** The offset after the last whole block of the file, its EOF marker excluded. */
  readonly end: number;
}

export interface ReadTailOptions extends ReadOptions {
  /** Size of the file in bytes. */
  readonly size: number;
  /** The offset of a block, or the end of the file. */
  readonly knownBlock: number;
  /** Whether the records are lines of text. */
  readonly isText: boolean;
}

/** Bytes in which `findBlock` finds a block, if there is one. */
const TAIL_BYTES = 3 * MAX_BLOCK_SIZE;
const LINE_FEED = 0x0a;

/** Finds the end of the blocks of a BGZF file. Reads 28 bytes, and up to 384 KiB of a file that lacks its EOF marker. */
export async function readBgzfTail(source: ByteSource, options: ReadTailOptions): Promise<FileTail> {
  const { size, knownBlock, isText, ...readOptions } = options;
  const tail = await source.read({ start: Math.max(0, size - EOF_MARKER.length), end: size }, readOptions);
  if (endsWithEofMarker(tail)) return { ending: 'marked', end: size - EOF_MARKER.length };
  const from = size - TAIL_BYTES;
  const start = from <= knownBlock ? knownBlock : await findBlock(source, from, { ...readOptions, end: size });
  // The bytes may have been lost in a crash: zeros, for example.
  if (start === undefined) return { ending: 'cut', end: from };
  const { byteLength, endsRecord } = walkBlocks(await source.read({ start, end: size }, readOptions), isText);
  return { ending: start + byteLength === size && endsRecord ? 'unmarked' : 'cut', end: start + byteLength };
}

/** Returns the length of the whole blocks at the start of `bytes`, and whether a line ends with them, if they are text. */
function walkBlocks(bytes: Uint8Array, isText: boolean): { readonly byteLength: number; readonly endsRecord: boolean } {
  let byteLength = 0;
  let lastByte: number | undefined;
  for (let block = blockAt(bytes, 0); block !== undefined; block = blockAt(bytes, byteLength)) {
    byteLength += block.byteLength;
    lastByte = block.data.at(-1) ?? lastByte;
  }
  return { byteLength, endsRecord: !isText || lastByte === undefined || lastByte === LINE_FEED };
}

/** Returns the block at `offset`, or undefined if there is no whole and valid one. */
function blockAt(
  bytes: Uint8Array,
  offset: number,
): { readonly byteLength: number; readonly data: Uint8Array } | undefined {
  try {
    const { blockSize } = parseBlockHeader(bytes, { offset });
    const block = bytes.subarray(offset, offset + blockSize);
    return { byteLength: blockSize, data: inflateBlock(block, { coffset: offset }) };
  } catch (error) {
    if (error instanceof BgzfError) return undefined;
    throw error;
  }
}
