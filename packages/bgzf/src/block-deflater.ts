import { parseBlockFooter } from './block-footer.js';
import { concatBytes } from './concat-bytes.js';
import { type DeflateOptions, deflateBlocks, MAX_INPUT } from './deflate-blocks.js';
import { EOF_MARKER } from './eof-marker.js';
import type { GziBuilder } from './gzi.js';
import { sliceBlock } from './slice-block.js';

export interface DeflateStreamOptions extends DeflateOptions {
  /** Whether the EOF marker is written at the end. Default true. */
  readonly eof?: boolean | undefined;
  /** Is told of each block that is written; its `finish` gives the GZI index once the stream has ended. */
  readonly gzi?: GziBuilder | undefined;
}

/** Fills blocks with data that comes in chunks of any size; the same data gives the same blocks. */
export class BlockDeflater {
  readonly #options: DeflateStreamOptions;
  /** Data of the block that is not full yet. */
  readonly #pending = new Uint8Array(MAX_INPUT);
  #pendingLength = 0;
  /** Bytes written. */
  #coffset = 0;

  constructor(options: DeflateStreamOptions) {
    this.#options = options;
  }

  /** The blocks that `data` fills, which may be none. */
  push(data: Uint8Array): Uint8Array<ArrayBuffer> {
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let at = 0;
    if (this.#pendingLength > 0) {
      at = Math.min(data.length, MAX_INPUT - this.#pendingLength);
      this.#keep(data.subarray(0, at));
      if (this.#pendingLength < MAX_INPUT) return concatBytes(blocks);
      blocks.push(this.#write(this.#pending));
      this.#pendingLength = 0;
    }
    const fullEnd = data.length - ((data.length - at) % MAX_INPUT);
    if (at < fullEnd) blocks.push(this.#write(data.subarray(at, fullEnd)));
    this.#keep(data.subarray(fullEnd));
    return concatBytes(blocks);
  }

  /** The last block, if there is data for one, and the EOF marker. */
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

/** Adds the blocks that lie at `coffset` in the file to an index. */
export function addBlocks(gzi: GziBuilder, blocks: Uint8Array, coffset: number): void {
  for (let at = 0; at < blocks.length; ) {
    const { header, block } = sliceBlock(blocks, { at, coffset: coffset + at });
    gzi.add(coffset + at, parseBlockFooter(block, header, coffset + at).isize);
    at += header.blockSize;
  }
}
