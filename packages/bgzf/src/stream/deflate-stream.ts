import { type BorrowedBytes, concatBytes, peek } from '@htskit/io';
import { parseBlockFooter, sliceBlock } from '../block/block-layout.js';
import { BLOCK_DATA_BYTES, type DeflateOptions, deflateBlocks } from '../block/deflate-blocks.js';
import { EOF_MARKER } from '../block/eof-marker.js';
import type { GziBuilder } from '../gzi.js';

export interface DeflateStreamOptions extends DeflateOptions {
  /** Whether to write the EOF marker at the end. Default true. */
  readonly eof?: boolean;
  /** Receives each written block. After the end of the stream its `finish` returns the GZI index. */
  readonly gzi?: GziBuilder;
}

/** Bytes that are deflated before control returns to the consumer: about ten milliseconds of work. */
const STEP_BYTES = 2 ** 20;

/**
 * Compresses the data of `chunks` to BGZF: blocks of 65280 bytes of data, however the data is chunked, and the EOF
 * marker. The same data, level and engine always result in the same bytes. Throws RangeError for an invalid level.
 *
 * @example
 * await pipeline(deflateStream(createReadStream('genome.fa')), createWriteStream('genome.fa.gz'));
 */
export async function* deflateStream(
  chunks: AsyncIterable<BorrowedBytes>,
  options: DeflateStreamOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const deflater = new BlockDeflater(options);
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; offset += STEP_BYTES) {
      const blocks = deflater.push(peek(chunk).subarray(offset, offset + STEP_BYTES));
      if (blocks.length > 0) yield blocks;
    }
  }
  const end = deflater.finish();
  if (end.length > 0) yield end;
}

/** Fills blocks with data that arrives in chunks of any size. */
class BlockDeflater {
  readonly #options: DeflateStreamOptions;
  /** Data of the block that is not full yet. */
  readonly #pending = new Uint8Array(BLOCK_DATA_BYTES);
  #pendingLength = 0;
  /** Bytes written so far. */
  #coffset = 0;

  constructor(options: DeflateStreamOptions) {
    this.#options = options;
  }

  /** Adds data and returns the blocks that it fills, if any. */
  push(data: Uint8Array): Uint8Array<ArrayBuffer> {
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let taken = 0;
    if (this.#pendingLength > 0) {
      taken = Math.min(data.length, BLOCK_DATA_BYTES - this.#pendingLength);
      this.#keep(data.subarray(0, taken));
      if (this.#pendingLength < BLOCK_DATA_BYTES) return concatBytes(blocks);
      blocks.push(this.#write(this.#pending));
      this.#pendingLength = 0;
    }
    const fullEnd = data.length - ((data.length - taken) % BLOCK_DATA_BYTES);
    if (taken < fullEnd) blocks.push(this.#write(data.subarray(taken, fullEnd)));
    this.#keep(data.subarray(fullEnd));
    return concatBytes(blocks);
  }

  /** Returns the last block, if any data is left, and the EOF marker. */
  finish(): Uint8Array<ArrayBuffer> {
    const last = this.#write(this.#pending.subarray(0, this.#pendingLength));
    return this.#options.eof === false ? last : concatBytes([last, EOF_MARKER]);
  }

  #keep(data: Uint8Array): void {
    this.#pending.set(data, this.#pendingLength);
    this.#pendingLength += data.length;
  }

  #write(data: Uint8Array): Uint8Array<ArrayBuffer> {
    const blocks = deflateBlocks(data, this.#options);
    if (this.#options.gzi !== undefined) addBlocks(this.#options.gzi, blocks, this.#coffset);
    this.#coffset += blocks.length;
    return blocks;
  }
}

/** Adds consecutive blocks, the first of which is at `coffset` in the file, to an index. */
export function addBlocks(gzi: GziBuilder, blocks: Uint8Array, coffset: number): void {
  for (let offset = 0; offset < blocks.length; ) {
    const { header, block } = sliceBlock(blocks, { offset, coffset: coffset + offset });
    gzi.add(coffset + offset, parseBlockFooter(block, header, coffset + offset).isize);
    offset += header.blockSize;
  }
}
