import { FormatError } from '../format-error.js';
import { toDataView } from './bam-data.js';
import { baseEnd, baseStart, checkRecord, isMapped, readRecordLength, referenceId } from './record-fields.js';

/** Where a record ends, and what it covers on the reference. */
export interface BamRecordSpan {
  /** Index behind the record's last byte. */
  readonly byteEnd: number;
  /** Rank of the reference in the header, −1 for none. */
  readonly referenceId: number;
  /** 0-based, −1 for none. */
  readonly baseStart: number;
  /** Half-open. A record that is unmapped, or covers no base, counts as one base long, as for htslib. */
  readonly baseEnd: number;
  /** Whether flag 0x4 is not set; an unmapped record may still have a position, its mate's. */
  readonly isMapped: boolean;
}

/**
 * Uncompressed BAM data, in which records are read where they stand. To make one takes as long as to read a record, so
 * whoever walks over records makes one for all of them.
 */
export class BamRecords {
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.#view = toDataView(data);
  }

  /** As `bamRecordLength`. */
  lengthAt(at: number): number | undefined {
    return readRecordLength(this.#view, at);
  }

  /** As `parseBamRecordSpan`. */
  spanAt(at: number): BamRecordSpan {
    const view = this.#view;
    const length = readRecordLength(view, at);
    if (length === undefined || view.byteLength - at < length) {
      throw new FormatError('TRUNCATED', 'the data ends inside a record', { offset: at });
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
 * Bytes of the record at `at` with its block_size field, or undefined where the data ends inside that field. Throws
 * `FormatError` INVALID_DATA for a size that no record has, LIMIT_EXCEEDED over 256 MiB.
 */
export function bamRecordLength(data: Uint8Array, at: number): number | undefined {
  return new BamRecords(data).lengthAt(at);
}

/**
 * The span of the whole record at `at` (SAMv1 §4.2). Its length on the reference is that of its CIGAR, which for a long
 * one stands in the tag CG. Throws `FormatError` TRUNCATED where the data ends inside the record, INVALID_DATA where the
 * parts of the record do not fit into it.
 */
export function parseBamRecordSpan(data: Uint8Array, at: number): BamRecordSpan {
  return new BamRecords(data).spanAt(at);
}
