import { FormatError } from '../format-error.js';
import { type BamInterval, BamIntervals } from './intervals.js';
import { bamRecordLength, parseBamRecordSpan } from './record.js';

/** Bytes of the block_size field, which tells how long a record is. */
const BLOCK_SIZE_LENGTH = 4;

/**
 * Keeps the records that overlap any of some intervals, from uncompressed BAM data that comes in pieces cut anywhere.
 * A record without reference overlaps nothing.
 */
export class BamRecordFilter {
  readonly #intervals: BamIntervals;
  /** The record that began in earlier pieces and has not ended, and how many bytes it has for sure. */
  #parts: Uint8Array[] = [];
  #partsLength = 0;
  #wantedLength = BLOCK_SIZE_LENGTH;

  constructor(intervals: readonly BamInterval[]) {
    this.#intervals = new BamIntervals(intervals);
  }

  /**
   * The records to keep among those that end in `data`, in order, as runs of bytes that are views of it where they lie
   * within it. Throws FormatError for data that is no record.
   */
  push(data: Uint8Array): Uint8Array[] {
    const kept: Uint8Array[] = [];
    let at = 0;
    while (this.#partsLength > 0 && at < data.length) {
      at += this.#takePart(data.subarray(at));
      if (this.#partsLength < this.#wantedLength) continue;
      const record = this.#joinParts();
      this.#wantedLength = bamRecordLength(record, 0) ?? BLOCK_SIZE_LENGTH;
      if (record.length === this.#wantedLength) kept.push(...this.#filterRuns(record));
      else this.#keepPart(record);
    }
    if (this.#partsLength === 0) kept.push(...this.#filterRuns(data.subarray(at)));
    return kept;
  }

  /** Throws FormatError TRUNCATED if a record has begun that did not end. */
  finish(): void {
    if (this.#partsLength > 0) {
      throw new FormatError('TRUNCATED', `the data ends ${this.#partsLength} bytes into a record`, { offset: 0 });
    }
  }

  /** Runs of records to keep; what begins but does not end in `data` becomes the first part of the next record. */
  #filterRuns(data: Uint8Array): Uint8Array[] {
    const runs: Uint8Array[] = [];
    let runStart = 0;
    let at = 0;
    let length = bamRecordLength(data, at);
    while (length !== undefined && data.length - at >= length) {
      const { referenceId, baseStart, baseEnd } = parseBamRecordSpan(data, at);
      if (!this.#intervals.overlap(referenceId, baseStart, baseEnd)) {
        if (runStart < at) runs.push(data.subarray(runStart, at));
        runStart = at + length;
      }
      at += length;
      length = bamRecordLength(data, at);
    }
    if (runStart < at) runs.push(data.subarray(runStart, at));
    this.#wantedLength = length ?? BLOCK_SIZE_LENGTH;
    // A copy, so that the caller may reuse the memory of `data`.
    if (at < data.length) this.#keepPart(data.slice(at));
    return runs;
  }

  /** Takes as many bytes as the unfinished record wants; returns how many. */
  #takePart(data: Uint8Array): number {
    const part = data.slice(0, this.#wantedLength - this.#partsLength);
    this.#keepPart(part);
    return part.length;
  }

  #keepPart(part: Uint8Array): void {
    this.#parts.push(part);
    this.#partsLength += part.length;
  }

  // Once for its length and once when it is whole: a long record costs linear time however many pieces it comes in.
  #joinParts(): Uint8Array {
    const joined = new Uint8Array(this.#partsLength);
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#partsLength = 0;
    return joined;
  }
}
