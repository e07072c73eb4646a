import { BgzfError } from './bgzf-error.js';
import { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
import { parseBlockFooter } from './block-footer.js';
import { MAX_BLOCK_SIZE, parseBlockHeader } from './block-header.js';
import { streamBlocks } from './stream-blocks.js';
import type { VirtualOffset } from './virtual-offset.js';

/**
 * A GZI index (bgzip(1), "GZI FORMAT"): where each block but the first begins, compressed and uncompressed.
 * Two parallel arrays, since an index of a genome has some 50,000 entries and one object each would cost five times that.
 */
export interface GziIndex {
  /** Bytes from the start of the file to each block; ascending. */
  readonly coffsets: Float64Array;
  /** Bytes from the start of the uncompressed data to that of each block; never descending. */
  readonly uncompressedOffsets: Float64Array;
}

/** Bytes of number_entries, and of an entry. */
const [COUNT_LENGTH, ENTRY_LENGTH] = [8, 16];

/**
 * Parses a whole `.gzi` file. Error offsets are those in the index file. Throws TRUNCATED if it holds fewer entries than
 * it says, INVALID_DATA if it holds more bytes, values over 2^53 − 1, or offsets out of order.
 */
export function parseGzi(bytes: Uint8Array): GziIndex {
  if (bytes.length < COUNT_LENGTH) throw truncated(COUNT_LENGTH, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // A damaged count is mostly a huge one, so it is compared before it is asked to be a safe integer.
  const count = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  const expectedLength = COUNT_LENGTH + count * ENTRY_LENGTH;
  if (isEmptyIndex(bytes)) return { coffsets: new Float64Array(0), uncompressedOffsets: new Float64Array(0) };
  if (bytes.length < expectedLength) throw truncated(expectedLength, bytes.length);
  if (bytes.length > expectedLength) {
    const message = `expected ${expectedLength} bytes for ${count} entries, found ${bytes.length}`;
    throw new BgzfError('INVALID_DATA', message, { offset: expectedLength });
  }
  const gzi = { coffsets: new Float64Array(count), uncompressedOffsets: new Float64Array(count) };
  let previous = { coffset: -1, uncompressedOffset: 0 };
  for (let index = 0; index < count; index += 1) {
    const at = COUNT_LENGTH + index * ENTRY_LENGTH;
    const coffset = readUint64(view, at);
    const uncompressedOffset = readUint64(view, at + 8);
    if (coffset <= previous.coffset || uncompressedOffset < previous.uncompressedOffset) {
      throw new BgzfError('INVALID_DATA', `entry ${index} is out of order`, { offset: at });
    }
    gzi.coffsets[index] = coffset;
    gzi.uncompressedOffsets[index] = uncompressedOffset;
    previous = { coffset, uncompressedOffset };
  }
  return gzi;
}

/** What bgzip writes for a file without data: a count of −1 and no entries. */
function isEmptyIndex(bytes: Uint8Array): boolean {
  return bytes.length === COUNT_LENGTH && bytes.every((byte) => byte === 0xff);
}

/** The bytes of a `.gzi` file. */
export function formatGzi({ coffsets, uncompressedOffsets }: GziIndex): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(COUNT_LENGTH + coffsets.length * ENTRY_LENGTH);
  const view = new DataView(bytes.buffer);
  writeUint64(view, 0, coffsets.length);
  for (const [index, coffset] of coffsets.entries()) {
    const at = COUNT_LENGTH + index * ENTRY_LENGTH;
    writeUint64(view, at, coffset);
    writeUint64(view, at + 8, uncompressedOffsets[index] ?? 0);
  }
  return bytes;
}

/**
 * The virtual offset of the byte `offset` of the uncompressed data. The end of the data, one byte behind the last, is the
 * end of its last block. Throws INVALID_OFFSET if no block that the index lists can hold it.
 */
export function locateUncompressed(gzi: GziIndex, offset: number): VirtualOffset {
  const count = countBlocksUpTo(gzi, offset);
  const coffset = gzi.coffsets[count - 1] ?? 0;
  const uoffset = offset - (gzi.uncompressedOffsets[count - 1] ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0 || uoffset > MAX_BLOCK_SIZE) {
    throw new BgzfError('INVALID_OFFSET', `uncompressed offset ${offset} lies in no indexed block`, {
      offset: coffset,
    });
  }
  return { coffset, uoffset };
}

/**
 * Returns how many listed blocks begin at or before `offset` of the uncompressed data. The last of them holds that byte; if
 * there is none, the first block of the file does, which is not listed.
 */
export function countBlocksUpTo({ uncompressedOffsets }: GziIndex, offset: number): number {
  let low = 0;
  let high = uncompressedOffsets.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((uncompressedOffsets[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects the entries of a GZI index in one pass over the blocks of a file. */
export class GziBuilder {
  readonly #coffsets: number[];
  readonly #uncompressedOffsets: number[];
  #uncompressedLength: number;

  /** With an index that exists, the next block to add is the last one that it lists. */
  constructor(existing?: GziIndex) {
    this.#coffsets = Array.from(existing?.coffsets.subarray(0, -1) ?? []);
    this.#uncompressedOffsets = Array.from(existing?.uncompressedOffsets.subarray(0, -1) ?? []);
    this.#uncompressedLength = existing?.uncompressedOffsets.at(-1) ?? 0;
  }

  /** Bytes of uncompressed data in the blocks so far. */
  get uncompressedLength(): number {
    return this.#uncompressedLength;
  }

  /** Adds the next block and the size of its uncompressed data. Empty blocks may be added or left out. */
  add(coffset: number, isize: number): void {
    if (isize > 0 && coffset > 0) {
      this.#coffsets.push(coffset);
      this.#uncompressedOffsets.push(this.#uncompressedLength);
    }
    this.#uncompressedLength += isize;
  }

  /** Returns the index of the blocks so far. Like that of bgzip, it lists neither the block at 0 nor empty blocks. */
  finish(): GziIndex {
    return {
      coffsets: Float64Array.from(this.#coffsets),
      uncompressedOffsets: Float64Array.from(this.#uncompressedOffsets),
    };
  }
}

/**
 * Builds the index of a file of `size` bytes from its headers and footers, without inflating anything.
 * Throws as `streamBlocks`, and TRUNCATED if the source ends before `size`.
 */
export async function buildGzi(source: BgzfSource, size: number, options?: SourceOptions): Promise<GziIndex> {
  return (await completeGzi(source, size, { ...options })).gzi;
}

/** An index that lists all blocks of a file but the first and empty ones. */
export interface CompleteGzi {
  readonly gzi: GziIndex;
  /** Size of the uncompressed data of the file in bytes. */
  readonly uncompressedLength: number;
}

/**
 * Finds the blocks that `gzi` does not list and the size of the uncompressed data: streams the file from the last block that
 * is listed, or all of it if there is no index. Throws as `buildGzi`.
 */
export async function completeGzi(
  source: BgzfSource,
  size: number,
  { gzi, ...options }: SourceOptions & { readonly gzi?: GziIndex | undefined },
): Promise<CompleteGzi> {
  const builder = new GziBuilder(gzi);
  let position = gzi?.coffsets.at(-1) ?? 0;
  if (position > size) throw truncated(position, size);
  const chunks = readChunks(source.stream({ start: position, end: size }, options));
  for await (const { coffset, bytes } of streamBlocks(chunks, { coffset: position })) {
    builder.add(coffset, parseBlockFooter(bytes, parseBlockHeader(bytes, { coffset }), coffset).isize);
    position = coffset + bytes.length;
  }
  if (position < size) throw truncated(size, position);
  return { gzi: builder.finish(), uncompressedLength: builder.uncompressedLength };
}

function truncated(expected: number, found: number): BgzfError {
  return new BgzfError('TRUNCATED', `expected ${expected} bytes, found ${found}`, { offset: found });
}

/** A u64 from its two u32 halves. Throws INVALID_DATA unless it is a safe integer. */
function readUint64(view: DataView, at: number): number {
  const value = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  if (Number.isSafeInteger(value)) return value;
  throw new BgzfError('INVALID_DATA', 'expected a value of at most 2^53 - 1', { offset: at });
}

function writeUint64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value % 2 ** 32, true);
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
}
