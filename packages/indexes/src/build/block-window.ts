import type { VirtualOffset } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';

const FIRST_CAPACITY = 2 ** 18;

/** The data of a block, and where the block lies in the file. */
export interface InflatedBlock {
  readonly coffset: number;
  /** Where the next block begins. */
  readonly nextCoffset: number;
  readonly data: Uint8Array;
}

/**
 * Uncompressed data of consecutive blocks in one piece of memory, for records that begin in one and end in another. What was
 * read is dropped from the front; the rest, at most the beginning of a record, moves there when a block comes.
 */
export class BlockWindow {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;
  /** Of each block that is in the window: where its data begins and ends in the buffer, and where it lies in the file. */
  readonly #blocks: { start: number; end: number; readonly coffset: number; readonly nextCoffset: number }[] = [];

  /** Throws once more than `maxBytes` wait to be read. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What was not read yet. The view is valid until a block is added. */
  get data(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Throws `IndexError` LIMIT_EXCEEDED. */
  add({ coffset, nextCoffset, data }: InflatedBlock): void {
    if (data.length === 0) return;
    this.#moveToFront();
    const end = this.#end + data.length;
    if (end > this.#maxBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `a record or header is longer than ${this.#maxBytes} bytes`, {
        offset: this.#blocks[0]?.coffset ?? coffset,
      });
    }
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(Math.max(end, 2 * this.#buffer.length), this.#maxBytes));
      grown.set(this.data);
      this.#buffer = grown;
    }
    this.#buffer.set(data, this.#end);
    this.#blocks.push({ start: this.#end, end, coffset, nextCoffset });
    this.#end = end;
  }

  /**
   * The virtual offset of what follows the first `length` bytes of `data`, as HTSlib's bgzf_tell says it: at the end of a block,
   * where the next one begins, even if that one is empty. `length` must not be 0.
   */
  offsetAfter(length: number): VirtualOffset {
    const at = this.#start + length;
    // Nearly always the last block: those before it hold one record that ends in it.
    let rank = this.#blocks.length - 1;
    while (rank > 0 && (this.#blocks[rank]?.start ?? 0) >= at) rank--;
    const block = this.#blocks[rank];
    if (block === undefined) return { coffset: 0, uoffset: 0 };
    if (at === block.end) return { coffset: block.nextCoffset, uoffset: 0 };
    return { coffset: block.coffset, uoffset: at - block.start };
  }

  /** Drops the first `length` bytes of `data`. */
  skip(length: number): void {
    this.#start += length;
  }

  #moveToFront(): void {
    const start = this.#start;
    if (start === 0) return;
    this.#buffer.copyWithin(0, start, this.#end);
    this.#start = 0;
    this.#end -= start;
    const kept = this.#blocks.findIndex(({ end }) => end > start);
    this.#blocks.splice(0, kept === -1 ? this.#blocks.length : kept);
    // The start of a block whose data was read in part lies in front of the buffer.
    for (const block of this.#blocks) {
      block.start -= start;
      block.end -= start;
    }
  }
}
