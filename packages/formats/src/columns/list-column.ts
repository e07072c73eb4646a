import { type ColumnConstructor, type ColumnValues, GrowingColumn } from './growing-column.js';
import { GrowingValidity } from './growing-validity.js';

/** Values of any number for each record, laid out as in Arrow: those of record i are [offsets[i], offsets[i + 1]) of `values`. */
export interface ListColumn<Values extends ColumnValues> {
  /** One more than the records. */
  readonly offsets: Int32Array<ArrayBuffer>;
  readonly values: Values;
  /** Bit i % 8 of byte i >> 3 is 1 if record i has a value; undefined if all have one. */
  readonly validity?: Uint8Array<ArrayBuffer>;
}

/** A list column whose values are appended, record by record. */
export class GrowingList<Values extends ColumnValues> {
  /** The values of all records. The caller appends those of a record before it calls `end`. */
  readonly values: GrowingColumn<Values>;
  /** The ends of the values of each record, after a 0. */
  readonly ends: GrowingColumn<Int32Array<ArrayBuffer>> = new GrowingColumn(Int32Array);
  readonly #validity = new GrowingValidity();

  constructor(Values: ColumnConstructor<Values>) {
    this.values = new GrowingColumn(Values);
    this.#start();
  }

  /** Ends the values of a record, which may have no values. `isValid`: whether the record has a value. */
  end(isValid = true): void {
    this.endAt(this.values.length, isValid);
  }

  /** Ends the values of a record at an index, if those of later records are appended already. */
  endAt(end: number, isValid: boolean): void {
    const at = this.ends.reserve(1);
    this.ends.values[at] = end;
    this.#validity.push(isValid);
  }

  /**
   * Makes room for the ends of the values of `count` records, all of which have a value, and returns the index in `ends.values` of
   * the first of them. The caller writes them itself.
   */
  reserveEnds(count: number): number {
    this.#validity.pushValid(count);
    return this.ends.reserve(count);
  }

  /** Returns the column in memory of its own, and starts again. */
  take(): ListColumn<Values> {
    const validity = this.#validity.take();
    const offsets = this.ends.take();
    this.#start();
    return { offsets, values: this.values.take(), ...(validity !== undefined && { validity }) };
  }

  #start(): void {
    const at = this.ends.reserve(1);
    this.ends.values[at] = 0;
  }
}
