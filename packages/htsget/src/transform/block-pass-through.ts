import { type InflatedSpan, inflateBlock } from '@htskit/bgzf';
import type { RecordFilter } from '@htskit/formats';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { OutputBlocks } from './chunk-transform.js';

/**
 * The minimum number of bytes of data of a block that is passed through. The block before it may have to end early, which costs
 * about 100 bytes.
 */
const LEAST_PASSED_BYTES = 2 ** 14;

/**
 * Passes through the blocks whose records a filter keeps, also those that begin or end within the block. Only the records of
 * other blocks are compressed anew, which took a third of the CPU time of a region when all were.
 */
export class BlockPassThrough {
  readonly #filter: RecordFilter;
  readonly #output: OutputBlocks;
  /** Bytes of the record that the data has ended in so far. */
  #pendingBytes = 0;
  /** A copy of the last block, if all of it is kept provided that the pending record is. */
  #held: Uint8Array<ArrayBuffer> | undefined;

  constructor(filter: RecordFilter, output: OutputBlocks) {
    this.#filter = filter;
    this.#output = output;
  }

  /** Adds the pieces that the filter has kept of a span. The first may be a record that began before the span. */
  add({ data, block }: InflatedSpan, pieces: readonly BorrowedBytes[]): void {
    const begunBytes = this.#pendingBytes;
    this.#pendingBytes = this.#filter.pendingBytes;
    const first = pieces[0] && peek(pieces[0]);
    const begun = begunBytes > 0 && first?.buffer !== peek(data).buffer ? first : undefined;
    this.#addBegun(begun, begunBytes);
    // In this span the record that began before is a piece of its own.
    const parts = begun === undefined ? pieces : [begun.subarray(begunBytes), ...pieces.slice(1)];
    const keptBytes = parts.reduce((sum, { length }) => sum + length, 0);
    const isKept = keptBytes === data.length - this.#pendingBytes && data.length >= LEAST_PASSED_BYTES;
    if (block === undefined || !isKept) for (const part of parts) this.#output.add(part);
    else if (this.#pendingBytes === 0) this.#output.addBlock(new Uint8Array(block));
    else this.#held = new Uint8Array(block);
  }

  /** Ends the data. `pieces` is the last record, if the filter keeps it. */
  finish([last]: readonly BorrowedBytes[]): void {
    this.#addBegun(last, this.#pendingBytes);
  }

  /**
   * Adds the part of a record that lies before the current span, with the held block: the record is undefined if it is not kept.
   */
  #addBegun(record: BorrowedBytes | undefined, begunBytes: number): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) {
      if (record !== undefined) this.#output.add(peek(record).subarray(0, begunBytes));
    } else if (record !== undefined) this.#output.addBlock(held);
    else this.#output.add(inflateBlock(held).subarray(0, -begunBytes));
  }
}
