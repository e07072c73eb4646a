import { FormatError } from '../format-error.js';
import { TypedValueReader } from './typed-value.js';

/** Where a record ends, and what it covers on its contig. */
export interface BcfRecordSpan {
  /** Index behind the record's last byte. */
  readonly byteEnd: number;
  /** Number of the contig in the header's dictionary. */
  readonly referenceId: number;
  /** 0-based; −1 for a telomere, which VCF writes as 0. */
  readonly baseStart: number;
  /** Half-open: `rlen` behind the start, which may be 0, or the length of REF where rlen is negative, as for HTSlib. */
  readonly baseEnd: number;
}

/** Bytes of l_shared and l_indiv, which do not count themselves. */
export const LENGTHS_BYTES = 8;
/** Bytes of the shared part's fields of fixed size. */
const SHARED_FIXED_BYTES = 24;
/** Bytes that a record may have. */
const MAX_RECORD_LENGTH = 2 ** 28;

/**
 * Uncompressed BCF data, in which records are read where they stand. To make one takes as long as to read a record, so
 * whoever walks over records makes one for all of them.
 */
export class BcfRecords {
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.#view = new DataView(data.buffer, data.byteOffset, data.length);
  }

  /** As `bcfRecordLength`. */
  lengthAt(at: number): number | undefined {
    const view = this.#view;
    if (view.byteLength - at < LENGTHS_BYTES) return undefined;
    const shared = view.getUint32(at, true);
    if (shared < SHARED_FIXED_BYTES) {
      throw new FormatError('INVALID_DATA', `a record cannot have ${shared} shared bytes`, { offset: at });
    }
    const length = LENGTHS_BYTES + shared + view.getUint32(at + 4, true);
    if (length > MAX_RECORD_LENGTH) {
      const message = `a record of ${length} bytes is longer than ${MAX_RECORD_LENGTH}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
    }
    return length;
  }

  /** Index behind the record at `at`, or undefined where the data ends inside of it. Throws as `lengthAt`. */
  endAt(at: number): number | undefined {
    const length = this.lengthAt(at);
    return length === undefined || length > this.#view.byteLength - at ? undefined : at + length;
  }

  /** As `parseBcfRecordSpan`. */
  spanAt(at: number): BcfRecordSpan {
    const view = this.#view;
    const byteEnd = this.endAt(at);
    if (byteEnd === undefined) {
      throw new FormatError('TRUNCATED', 'the data ends inside a record', { offset: at });
    }
    const referenceId = view.getInt32(at + 8, true);
    const baseStart = view.getInt32(at + 12, true);
    const rlen = view.getInt32(at + 16, true);
    if (referenceId < 0 || baseStart < -1) {
      throw new FormatError('INVALID_DATA', 'a record has a negative contig or position', { offset: at });
    }
    const baseEnd = baseStart + (rlen < 0 ? this.#refLength(at) : rlen);
    return { byteEnd, referenceId, baseStart, baseEnd };
  }

  /** Bytes of REF: the second value behind the fields of fixed size, an ID before it. */
  #refLength(at: number): number {
    const shared = at + LENGTHS_BYTES;
    const values = new TypedValueReader(this.#view);
    values.enter(shared + SHARED_FIXED_BYTES, shared + this.#view.getUint32(at, true));
    values.skip();
    return values.skip();
  }
}

/**
 * Bytes of the record at `at`, with its two lengths (VCFv4.3 §6.3.1), or undefined where the data ends inside of those. Throws
 * `FormatError` INVALID_DATA for a length that no record has, LIMIT_EXCEEDED over 256 MiB.
 */
export function bcfRecordLength(data: Uint8Array, at: number): number | undefined {
  return new BcfRecords(data).lengthAt(at);
}

/** Bytes that a record which has begun lacks, as far as they tell. */
export function countMissing(begun: Uint8Array): number {
  return (bcfRecordLength(begun, 0) ?? LENGTHS_BYTES) - begun.length;
}

/**
 * The span of the whole record at `at` (VCFv4.3 §6.3.1). Throws `FormatError` TRUNCATED where the data ends inside the record,
 * INVALID_DATA for a contig or position that is none.
 */
export function parseBcfRecordSpan(data: Uint8Array, at: number): BcfRecordSpan {
  return new BcfRecords(data).spanAt(at);
}
