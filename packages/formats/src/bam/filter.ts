import { FormatError } from '../format-error.js';
import { type BamData, toBamData } from './bam-data.js';
import { CutRecord } from './cut-record.js';
import { type BamInterval, BamIntervals } from './intervals.js';
import { baseEnd, baseStart, checkRecord, readRecordLength, referenceId } from './record-fields.js';

/**
 * Keeps the records that overlap any of some intervals, from uncompressed BAM records that come in pieces cut anywhere.
 * How far a record reaches is what `parseBamRecordSpan` says; one without a reference overlaps nothing.
 */
export class BamRecordFilter {
  readonly #intervals: BamIntervals;
  /** The record that began in earlier pieces and has not ended. */
  readonly #cutRecord = new CutRecord();
  /** Bytes in front of the piece at hand. */
  #offset = 0;

  constructor(intervals: readonly BamInterval[]) {
    this.#intervals = new BamIntervals(intervals);
  }

  /**
   * The records to keep among those that end in `piece`, in order, as runs of bytes; those that lie within `piece` are
   * views of it. Throws `FormatError` INVALID_DATA or LIMIT_EXCEEDED for bytes that are no record, whose offset counts
   * from the first piece.
   */
  push(piece: Uint8Array): Uint8Array[] {
    const cutLength = this.#cutRecord.byteLength;
    const taken = cutLength === 0 ? 0 : this.#cutRecord.append(piece, this.#offset - cutLength);
    const cut = this.#cutRecord.take();
    const completed = cut === undefined ? [] : this.#filterRecords(cut, this.#offset - cutLength).kept;
    const rest = piece.subarray(taken);
    const { kept, byteEnd } = this.#filterRecords(rest, this.#offset + taken);
    this.#cutRecord.append(rest.subarray(byteEnd), this.#offset + taken + byteEnd);
    this.#offset += piece.length;
    return completed.concat(kept);
  }

  /** Throws `FormatError` TRUNCATED if a record has begun that did not end. */
  finish(): void {
    const { byteLength } = this.#cutRecord;
    if (byteLength === 0) return;
    const message = `the data ends ${byteLength} bytes into a record`;
    throw new FormatError('TRUNCATED', message, { offset: this.#offset - byteLength });
  }

  /** Runs of records to keep, and where the last whole record ends. */
  #filterRecords(bytes: Uint8Array, offset: number): { readonly kept: Uint8Array[]; readonly byteEnd: number } {
    const data = toBamData(bytes, offset);
    const kept: Uint8Array[] = [];
    let runStart = 0;
    let at = 0;
    let length = readRecordLength(data, at);
    while (length !== undefined && length <= bytes.length - at) {
      const next = at + length;
      if (!this.#keeps(data, at)) {
        if (runStart < at) kept.push(bytes.subarray(runStart, at));
        runStart = next;
      }
      at = next;
      length = readRecordLength(data, at);
    }
    if (runStart < at) kept.push(bytes.subarray(runStart, at));
    return { kept, byteEnd: at };
  }

  #keeps(data: BamData, at: number): boolean {
    checkRecord(data, at);
    const start = baseStart(data.view, at);
    const interval = this.#intervals.firstEndingBehind(referenceId(data.view, at), start);
    // The CIGAR is read only where the record begins in front of the interval
    return interval !== undefined && (interval.start <= start || interval.start < baseEnd(data, at));
  }
}
