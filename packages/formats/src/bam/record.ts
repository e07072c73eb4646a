import { FormatError } from '../format-error.js';
import {
  BAM_LAYOUT,
  baseEnd,
  baseStart,
  checkRecord,
  isMapped,
  readRecordLength,
  referenceId,
} from './record-fields.js';

/** The end of a record, and the bases of its reference that it covers. */
export interface BamRecordSpan {
  /** The offset just after the record. */
  readonly byteEnd: number;
  /** The index of the reference in the header; −1 for a record without a reference. */
  readonly referenceId: number;
  /** 0-based; −1 for a record without a position. */
  readonly baseStart: number;
  /** Exclusive. An unmapped record, or one that covers no base, is one base long, as in htslib. */
  readonly baseEnd: number;
  /** Whether flag 0x4 is clear. An unmapped record can have a position: that of its mate. */
  readonly isMapped: boolean;
}

/**
 * Uncompressed BAM data whose records are read in place. Creating one takes as long as reading a record, so a walk over many
 * records should share one.
 */
export class BamRecords {
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.#view = BAM_LAYOUT.open(data);
  }

  /** Returns and throws what `bamRecordLength` does. */
  lengthAt(at: number): number | undefined {
    return readRecordLength(this.#view, at);
  }

  /** Returns and throws what `parseBamRecordSpan` does. */
  spanAt(at: number): BamRecordSpan {
    const view = this.#view;
    const length = readRecordLength(view, at);
    if (length === undefined || view.byteLength - at < length) {
      throw new FormatError('TRUNCATED', 'data ends within a record', { offset: at });
    }
    checkRecord(view, at);
    return {
      byteEnd: at + length,
      referenceId: referenceId(view, at),
      baseStart: baseStart(view, at),
      baseEnd: baseEnd(view, at),
      isMapped: isMapped(view, at),
    };
  }
}

/**
 * Returns the length in bytes of the record that starts at `at`, its block_size field included, or undefined if the data ends
 * within that field. Throws `FormatError` `INVALID_DATA` if the length is too small for a record, `LIMIT_EXCEEDED` if it is
 * over 256 MiB.
 */
export function bamRecordLength(data: Uint8Array, at: number): number | undefined {
  return new BamRecords(data).lengthAt(at);
}

/**
 * Parses the span of the record that starts at `at` (SAMv1 §4.2). Its length on the reference is that of its CIGAR, which the
 * tag CG holds if the CIGAR is long. Throws `FormatError` `TRUNCATED` if the record is incomplete, `INVALID_DATA` if its parts
 * exceed its length.
 */
export function parseBamRecordSpan(data: Uint8Array, at: number): BamRecordSpan {
  return new BamRecords(data).spanAt(at);
}
