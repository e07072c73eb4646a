import type { VirtualOffset } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';

const FIRST_CAPACITY = 2 ** 18;

/** The uncompressed data of a block and the position of the block in the file. */
export interface InflatedBlock {
  readonly coffset: number;
  /** Offset of the next block. */
  readonly nextCoffset: number;
  readonly data: Uint8Array;
}

/**
 * Holds the uncompressed data of consecutive blocks in one buffer, for records that span blocks. Data that was read is
 * dropped; the rest, at most the beginning of a record, is moved to the front when a block is added.
 */
export class BlockWindow {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;
  /** The blocks in the window: the start and end of their data in the buffer, and their offsets in the file. */
  readonly #blocks: { start: number; end: number; readonly coffset: number; readonly nextCoffset: number }[] = [];

  /** `maxBytes` limits the data that has not been read. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The data that has not been read, as a view that is valid until a block is added. */
  get data(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Adds a block. Throws `IndexError` LIMIT_EXCEEDED if more than `maxBytes` would be unread. */
  add({ coffset, nextCoffset, data }: InflatedBlock): void {
    if (data.length === 0) return;
    this.#moveToFront();
    const end = this.#end + data.length;
    if (end > this.#maxBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `a record or header exceeds the limit of ${this.#maxBytes} bytes`, {
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
   * Returns the virtual offset after the first `length` bytes of `data`, which must not be 0, as HTSlib's bgzf_tell does: the
   * end of a block is the start of the next one, even if that one is empty.
   */
  offsetAfter(length: number): VirtualOffset {
    const at = this.#start + length;
    // Nearly always the last block: those before it contain one record, which ends in the last one.
    let index = this.#blocks.length - 1;
    while (index > 0 && (this.#blocks[index]?.start ?? 0) >= at) index--;
    const block = this.#blocks[index];
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
    // The start of a block whose data was partly read becomes negative.
    for (const block of this.#blocks) {
      block.start -= start;
      block.end -= start;
    }
  }
}
