import { type ByteSource, type ReadOptions, readChunks } from '@htskit/io';
import { firstIndex } from '@htskit/io/internal';
import { BgzfError } from './bgzf-error.js';
import { MAX_BLOCK_SIZE, parseBlockFooter, parseBlockHeader } from './block/block-layout.js';
import { streamBlocks } from './stream/stream-blocks.js';
import type { VirtualOffset } from './virtual-offset.js';

/**
 * A GZI index (bgzip(1), "GZI FORMAT"): the compressed and uncompressed offsets of each block but the first. The arrays
 * are parallel, since the index of a genome has about 50,000 entries and an object for each would take five times the
 * memory.
 */
export interface GziIndex {
  /** Bytes from the start of the file to each block, in ascending order. */
  readonly coffsets: Float64Array;
  /** Bytes from the start of the uncompressed data to the data of each block, never descending. */
  readonly uncompressedOffsets: Float64Array;
}

/** Bytes of number_entries and of each entry. */
const [COUNT_LENGTH, ENTRY_LENGTH] = [8, 16];

/**
 * Parses a whole `.gzi` file. Errors report offsets in the index file. Throws TRUNCATED if the file is shorter than its
 * count of entries requires, and INVALID_DATA if it is longer, has values over 2^53 − 1, or has offsets out of order.
 *
 * @example
 * const gzi = parseGzi(readFileSync('genome.fa.gz.gzi'));
 */
export function parseGzi(bytes: Uint8Array): GziIndex {
  if (bytes.length < COUNT_LENGTH) throw truncated(COUNT_LENGTH, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // A damaged count is usually huge: comparing it before checking for a safe integer reports TRUNCATED.
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
    const offset = COUNT_LENGTH + index * ENTRY_LENGTH;
    const coffset = readUint64(view, offset);
    const uncompressedOffset = readUint64(view, offset + 8);
    if (coffset <= previous.coffset || uncompressedOffset < previous.uncompressedOffset) {
      throw new BgzfError('INVALID_DATA', `entry ${index} is out of order`, { offset });
    }
    gzi.coffsets[index] = coffset;
    gzi.uncompressedOffsets[index] = uncompressedOffset;
    previous = { coffset, uncompressedOffset };
  }
  return gzi;
}

/** Returns whether this is the index that bgzip writes for a file without data: a count of −1 and no entries. */
function isEmptyIndex(bytes: Uint8Array): boolean {
  return bytes.length === COUNT_LENGTH && bytes.every((byte) => byte === 0xff);
}

/** Returns the bytes of a `.gzi` file. */
export function formatGzi({ coffsets, uncompressedOffsets }: GziIndex): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(COUNT_LENGTH + coffsets.length * ENTRY_LENGTH);
  const view = new DataView(bytes.buffer);
  writeUint64(view, 0, coffsets.length);
  for (const [index, coffset] of coffsets.entries()) {
    const offset = COUNT_LENGTH + index * ENTRY_LENGTH;
    writeUint64(view, offset, coffset);
    writeUint64(view, offset + 8, uncompressedOffsets[index] ?? 0);
  }
  return bytes;
}

/**
 * Converts an offset in the uncompressed data to a virtual offset. The end of the data is the end of its last block.
 * Throws INVALID_OFFSET if no block in the index can hold the offset.
 *
 * @example
 * const range = { start: locateUncompressed(gzi, 130_000), end: locateUncompressed(gzi, 130_050) };
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
 * Returns how many listed blocks begin at or before `offset` of the uncompressed data. The last of them holds that
 * byte; if there is none, the first block of the file does, which is not listed.
 */
export function countBlocksUpTo({ uncompressedOffsets }: GziIndex, offset: number): number {
  return firstIndex(uncompressedOffsets.length, (block) => (uncompressedOffsets[block] ?? 0) > offset);
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
 * Builds the index of a file of `size` bytes from its block headers and footers, without inflating the blocks. Streams
 * the whole file. Throws the same errors as `streamBlocks`, and TRUNCATED if the source ends before `size`.
 *
 * @example
 * const { size } = await source.stat();
 * await writeFile('genome.fa.gz.gzi', formatGzi(await buildGzi(source, size)));
 */
export async function buildGzi(
  source: Pick<ByteSource, 'stream'>,
  size: number,
  options?: ReadOptions,
): Promise<GziIndex> {
  return (await completeGzi(source, size, { ...options })).gzi;
}

/** An index that lists all blocks of a file but the first and empty ones. */
export interface CompleteGzi {
  readonly gzi: GziIndex;
  /** Size of the uncompressed data of the file in bytes. */
  readonly uncompressedLength: number;
}

/**
 * Finds the blocks that `gzi` does not list and the size of the uncompressed data: streams the file from the last block
 * that is listed, or all of it if there is no index. Throws the same errors as `buildGzi`.
 */
export async function completeGzi(
  source: Pick<ByteSource, 'stream'>,
  size: number,
  { gzi, ...options }: ReadOptions & { readonly gzi?: GziIndex },
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

/** Reads a u64 as its two u32 halves. Throws INVALID_DATA unless it is a safe integer. */
function readUint64(view: DataView, offset: number): number {
  const value = view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32;
  if (Number.isSafeInteger(value)) return value;
  throw new BgzfError('INVALID_DATA', 'expected a value of at most 2^53 - 1', { offset });
}

function writeUint64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % 2 ** 32, true);
  view.setUint32(offset + 4, Math.floor(value / 2 ** 32), true);
}
