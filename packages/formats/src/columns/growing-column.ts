import { FormatError } from '../format-error.js';

/** The memory of the values of a column: it can be transferred to another thread. */
export type ColumnValues =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Creates values that are 0, or a copy of values. */
export type ColumnConstructor<Values extends ColumnValues> = new (source: number | ArrayLike<number>) => Values;

const FIRST_LENGTH = 256;
/** The offsets of a column are signed integers of 32 bits. */
const MAX_LENGTH = 2 ** 31 - 1;

/**
 * A column whose values are appended. The caller writes them itself, into `values` from the index on that `reserve` returns:
 * a method would be called for arrays of all types, which takes several times as long.
 */
export class GrowingColumn<Values extends ColumnValues> {
  /** The memory, which is longer than the column. Valid until the next `reserve`. */
  values: Values;
  /** The number of values. */
  length = 0;
  #capacity = 0;
  #Values: ColumnConstructor<Values>;

  constructor(Values: ColumnConstructor<Values>) {
    this.#Values = Values;
    this.values = new Values(0);
  }

  /**
   * Makes room for `count` values that the caller writes, and returns the index of the first of them. Throws `FormatError`
   * LIMIT_EXCEEDED if the column has 2^31 values or more.
   */
  reserve(count: number): number {
    const at = this.length;
    if (at + count > this.#capacity) this.#grow(at + count);
    this.length = at + count;
    return at;
  }

  /** Changes the type of the values, the present ones included. */
  convert(Values: ColumnConstructor<Values>): void {
    this.#Values = Values;
    this.#setCapacity(this.#capacity);
  }

  /** The type of the values. */
  get type(): ColumnConstructor<Values> {
    return this.#Values;
  }

  /** Returns the values in memory of their own, and starts again. */
  take(): Values {
    // Memory that is copied to is not set to 0 before.
    const taken = new this.#Values(this.values.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  #grow(needed: number): void {
    if (needed > MAX_LENGTH) {
      throw new FormatError('LIMIT_EXCEEDED', `column of ${needed} values is over the limit of ${MAX_LENGTH}`, {
        offset: 0,
      });
    }
    this.#setCapacity(Math.min(MAX_LENGTH, Math.max(FIRST_LENGTH, 2 * this.#capacity, needed)));
  }

  #setCapacity(capacity: number): void {
    const values = new this.#Values(capacity);
    values.set(this.values.subarray(0, this.length));
    this.values = values;
    this.#capacity = capacity;
  }
}

/** Bytes from which on a loop takes longer than `set`. */
const MIN_SET_BYTES = 48;

/** Appends the bytes [start, end). */
export function appendBytes(
  column: GrowingColumn<Uint8Array<ArrayBuffer>>,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const to = column.reserve(end - start);
  const { values } = column;
  if (end - start > MIN_SET_BYTES) values.set(bytes.subarray(start, end), to);
  else for (let from = start, at = to; from < end; from++, at++) values[at] = bytes[from] ?? 0;
}
