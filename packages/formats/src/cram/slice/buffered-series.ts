import { copyBytes, viewOf } from '../../bytes/copy-bytes.js';
import type { ByteCursor, Positioned } from '../byte-cursor.js';
import type { ValueReader } from './value-reader.js';

/** Values that are decoded at once. */
const BATCH = 512;
/** The most bytes of an ITF8 number. */
const MAX_NUMBER_BYTES = 5;

const NOTHING = new Int32Array(0);

/** How the numbers of a series are stored. */
interface NumberSeriesOptions {
  /** The block that belongs to the series alone. */
  readonly block?: ByteCursor | undefined;
  /** The value of all numbers. */
  readonly constant?: number | undefined;
  /** Whether the block is decoded at once, so that it can be read from any place. Default: in batches. */
  readonly isWhole?: boolean;
}

/**
 * Reads a data series of numbers. There is one class for all encodings, so that each call of `read` is compiled into its caller:
 * the numbers of an external block that belongs to one series are decoded in batches, and a constant is a batch that does not
 * end. Calls of different classes took a third of the time of reading records.
 */
export class NumberSeries implements Positioned {
  readonly #reader: ValueReader;
  /** The block that belongs to this series alone. */
  readonly #cursor: ByteCursor | undefined;
  #values: Int32Array = NOTHING;
  #at = 0;
  #end = 0;
  readonly #step: number = 1;

  constructor(reader: ValueReader, { block, constant, isWhole = false }: NumberSeriesOptions = {}) {
    this.#reader = reader;
    this.#cursor = block;
    if (block !== undefined && isWhole) this.#end = this.#fill(block, new Int32Array(block.remaining));
    if (constant === undefined || constant !== (constant | 0)) return;
    this.#values = Int32Array.of(constant);
    this.#end = 1;
    this.#step = 0;
  }

  /** The number of values that were read of the batch. Those of a whole block are one batch. */
  get position(): number {
    return this.#at;
  }

  set position(position: number) {
    this.#at = position;
  }

  /** Bytes of memory of the batch. */
  get byteLength(): number {
    return this.#values.byteLength;
  }

  /** Whether the values do not depend on how many of other series were read. */
  get isSeparate(): boolean {
    return this.#cursor !== undefined || this.#step === 0;
  }

  /** Returns the next value. Throws `FormatError` `TRUNCATED` at the end of the data. */
  read(): number {
    const at = this.#at;
    if (at === this.#end) return this.#readMore();
    this.#at = at + this.#step;
    return this.#values[at] ?? 0;
  }

  #readMore(): number {
    const cursor = this.#cursor;
    if (cursor === undefined) return this.#reader.read();
    // The last numbers are read one by one, because one of them may be incomplete.
    if (cursor.remaining < MAX_NUMBER_BYTES) return cursor.readItf8();
    this.#end = this.#fill(cursor, this.#values.length === 0 ? new Int32Array(BATCH) : this.#values);
    this.#at = 1;
    return this.#values[0] ?? 0;
  }

  /** Decodes a batch, and returns the number of its values. */
  #fill(cursor: ByteCursor, values: Int32Array): number {
    const last = cursor.bytes.length - MAX_NUMBER_BYTES;
    let count = 0;
    while (count < values.length && cursor.at <= last) values[count++] = cursor.readItf8();
    this.#values = values;
    return count;
  }
}

/** Reads a data series of bytes: those of an external block that belongs to one series are read from the block itself. */
export class ByteSeries implements Positioned {
  readonly #reader: ValueReader;
  readonly #cursor: ByteCursor | undefined;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(reader: ValueReader, block?: ByteCursor) {
    this.#reader = reader;
    this.#cursor = block;
    this.#bytes = block?.bytes ?? new Uint8Array(0);
  }

  get position(): number {
    return this.#at;
  }

  set position(position: number) {
    this.#at = position;
  }

  /** Returns the next value. Throws `FormatError` `TRUNCATED` at the end of the data. */
  read(): number {
    const at = this.#at;
    if (at < this.#bytes.length) {
      this.#at = at + 1;
      return this.#bytes[at] ?? 0;
    }
    if (this.#cursor !== undefined) throw this.#cursor.truncated();
    return this.#reader.read();
  }

  /** Skips `count` values. */
  skip(count: number): void {
    if (this.#cursor === undefined) this.#reader.skip(count);
    else this.#take(this.#cursor, count);
  }

  /** Reads `count` values into `target`, from index `to` on. */
  readInto(target: Uint8Array, to: number, count: number): void {
    this.copyInto(target, viewOf(target), to, count);
  }

  /** Reads values as `readInto` does. `view` is a view of `target`, which takes as long to create as the values take to copy. */
  copyInto(target: Uint8Array, view: DataView, to: number, count: number): void {
    const cursor = this.#cursor;
    if (cursor === undefined) this.#reader.readInto(target, to, count);
    else copyBytes({ view, to }, cursor.view, this.#take(cursor, count), count);
  }

  /** Returns the index of the next `count` bytes of the block, and passes them. */
  #take(cursor: ByteCursor, count: number): number {
    const at = this.#at;
    if (!(count >= 0 && at + count <= this.#bytes.length)) throw cursor.truncated();
    this.#at = at + count;
    return at;
  }
}
