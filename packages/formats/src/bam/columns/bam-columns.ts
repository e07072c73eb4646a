import { createParts, ListSource } from '../../columns/byte-lists.js';
import type { Parts } from '../../columns/wasm/part-copier.js';
import { FormatError } from '../../format-error.js';
import { checkRecord, type RecordData, readRecordLength } from '../record-fields.js';
import type { AlignmentColumnField, AlignmentColumns } from './alignment-columns.js';
import { BamTagColumns } from './bam-tag-columns.js';
import { fillFields } from './fill-fields.js';
import { type ColumnSelection, GrowingAlignments } from './growing-alignments.js';

/** Records whose offsets are kept at first. */
const FIRST_RECORDS = 256;

/** The size of batches. */
export interface BatchLimits {
  /** The maximum number of records. */
  readonly maxRecords: number;
  /** Bytes of records from which on a batch is full. A batch has one record at least. */
  readonly maxBytes: number;
}

/**
 * Fills columns from BAM records, column by column for those of a piece of data. That takes less time than record by record: each
 * loop has a column of one type.
 */
export class BamColumns<Field extends AlignmentColumnField, Tag extends string> {
  readonly #growing: GrowingAlignments<Field, Tag>;
  readonly #tags: BamTagColumns | undefined;
  readonly #limits: BatchLimits;
  #offsets = new Int32Array(FIRST_RECORDS);
  #parts: Parts = createParts(FIRST_RECORDS);
  /** Bytes of the records of the batch. */
  #byteLength = 0;

  /** Throws `TypeError` for an unknown field. */
  constructor(selection: ColumnSelection<Field, Tag> & BatchLimits) {
    this.#growing = new GrowingAlignments(selection);
    this.#tags = this.#growing.tags.size > 0 ? new BamTagColumns(this.#growing.tags) : undefined;
    this.#limits = selection;
  }

  /** The number of records of the batch. */
  get length(): number {
    return this.#growing.length;
  }

  /** Whether the batch should be taken before more records are appended. */
  get isFull(): boolean {
    return this.length >= this.#limits.maxRecords || this.#byteLength >= this.#limits.maxBytes;
  }

  /**
   * Appends the records of `bytes` that start at `start`, until the batch is full, and returns the offset just after them. Throws
   * the same errors as `AlignmentRecord`.
   */
  append(bytes: Uint8Array, start: number): number {
    const data = new ListSource(bytes);
    let at = start;
    let count = 0;
    let fault: unknown;
    try {
      while (at < bytes.length && !this.#isFullWith(count, at - start)) {
        const length = checkedLength(data, at);
        if (count === this.#offsets.length) this.#growOffsets();
        this.#offsets[count++] = at;
        at += length;
      }
    } catch (error) {
      // The records before it may have a fault of their own, which is reported first.
      fault = error;
    }
    const { starts, ends } = this.#parts;
    const parts = { starts: starts.subarray(0, count), ends: ends.subarray(0, count) };
    const records = { data, offsets: this.#offsets.subarray(0, count), parts };
    fillFields(this.#growing.fields, records);
    this.#tags?.fill(records);
    this.#growing.length += count;
    this.#byteLength += at - start;
    if (fault !== undefined) throw fault;
    return at;
  }

  /** Returns the columns of the batch, and starts the next one. */
  take(): AlignmentColumns<Field, Tag> {
    this.#byteLength = 0;
    return this.#growing.take();
  }

  #isFullWith(count: number, byteLength: number): boolean {
    const { maxRecords, maxBytes } = this.#limits;
    return this.length + count >= maxRecords || this.#byteLength + byteLength >= maxBytes;
  }

  #growOffsets(): void {
    const grown = new Int32Array(2 * this.#offsets.length);
    grown.set(this.#offsets);
    this.#offsets = grown;
    this.#parts = createParts(grown.length);
  }
}

/** Returns the length of a record that is whole and whose parts fit it. */
function checkedLength({ bytes, view }: RecordData, at: number): number {
  const length = readRecordLength(view, at);
  if (length === undefined || bytes.length - at < length) {
    throw new FormatError('TRUNCATED', 'data ends within a record', { offset: at });
  }
  checkRecord(view, at);
  return length;
}
