import { FormatError, invalidData } from '../format-error.js';
import { type BaseInterval, createRecordFilter, groupIntervals, type RecordFilter } from '../record-filter.js';
import { TypedValueReader } from './typed-value.js';

/** The end of a record, and the bases of its contig that it covers. */
export interface BcfRecordSpan {
  /** The offset just after the record. */
  readonly byteEnd: number;
  /** The number of the contig in the header's dictionary. */
  readonly referenceId: number;
  /** 0-based; −1 for a telomere, which is POS 0 in VCF. */
  readonly baseStart: number;
  /** Exclusive: the start plus rlen, which may be 0, or plus the length of REF if rlen is negative, as in htslib. */
  readonly baseEnd: number;
}

/** Bytes of l_shared and l_indiv, which do not count themselves. */
export const LENGTHS_BYTES = 8;
/** Bytes of the fixed-size fields of the shared part. */
const SHARED_FIXED_BYTES = 24;
/** The most bytes that a record may have here. */
const MAX_RECORD_LENGTH = 2 ** 28;

/**
 * Uncompressed BCF data whose records are read in place. Creating one takes as long as reading a record, so a walk over many
 * records should share one.
 */
export class BcfRecords {
  readonly #view: DataView;

  constructor(data: Uint8Array) {
    this.#view = new DataView(data.buffer, data.byteOffset, data.length);
  }

  /** Returns and throws what `bcfRecordLength` does. */
  lengthAt(at: number): number | undefined {
    const view = this.#view;
    if (view.byteLength - at < LENGTHS_BYTES) return undefined;
    const shared = view.getUint32(at, true);
    if (shared < SHARED_FIXED_BYTES) {
      throw invalidData(`l_shared ${shared} is too small: the fixed fields take ${SHARED_FIXED_BYTES} bytes`, at);
    }
    const length = LENGTHS_BYTES + shared + view.getUint32(at + 4, true);
    if (length > MAX_RECORD_LENGTH) {
      const message = `record of ${length} bytes is over the limit of ${MAX_RECORD_LENGTH}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
    }
    return length;
  }

  /** Returns the offset just after the record that starts at `at`, or undefined if it is incomplete. */
  endAt(at: number): number | undefined {
    const length = this.lengthAt(at);
    return length === undefined || length > this.#view.byteLength - at ? undefined : at + length;
  }

  /** Returns and throws what `parseBcfRecordSpan` does. */
  spanAt(at: number): BcfRecordSpan {
    const view = this.#view;
    const byteEnd = this.endAt(at);
    if (byteEnd === undefined) {
      throw new FormatError('TRUNCATED', 'data ends within a record', { offset: at });
    }
    const referenceId = view.getInt32(at + 8, true);
    const baseStart = view.getInt32(at + 12, true);
    const rlen = view.getInt32(at + 16, true);
    if (referenceId < 0 || baseStart < -1) {
      throw invalidData('CHROM of a record is negative, or its POS is below -1', at);
    }
    const baseEnd = baseStart + (rlen < 0 ? this.#refLength(at) : rlen);
    return { byteEnd, referenceId, baseStart, baseEnd };
  }

  /** Returns the length of REF, the value that follows ID after the fixed-size fields. */
  #refLength(at: number): number {
    const shared = at + LENGTHS_BYTES;
    const values = new TypedValueReader(this.#view);
    values.enter(shared + SHARED_FIXED_BYTES, shared + this.#view.getUint32(at, true));
    values.skip();
    return values.skip();
  }
}

/**
 * Returns the length in bytes of the record that starts at `at`, its two length fields included (VCFv4.3 §6.3.1), or undefined
 * if the data ends within those fields. Throws `FormatError` `INVALID_DATA` if l_shared is too small, `LIMIT_EXCEEDED` if the
 * record is over 256 MiB.
 */
export function bcfRecordLength(data: Uint8Array, at: number): number | undefined {
  return new BcfRecords(data).lengthAt(at);
}

/**
 * Parses the span of the record that starts at `at` (VCFv4.3 §6.3.1). Throws `FormatError` `TRUNCATED` if the record is
 * incomplete, `INVALID_DATA` for an invalid contig or position.
 *
 * @example
 * ```ts
 * import { parseBcfHeader, parseBcfRecordSpan } from '@htskit/formats';
 *
 * export function firstContig(data: Uint8Array): string | undefined {
 *   const { contigs, byteLength } = parseBcfHeader(data);
 *   return contigs.get(parseBcfRecordSpan(data, byteLength).referenceId)?.name;
 * }
 * ```
 */
export function parseBcfRecordSpan(data: Uint8Array, at: number): BcfRecordSpan {
  return new BcfRecords(data).spanAt(at);
}

/** Returns how many bytes an incomplete record lacks at least. */
export function countMissing(begun: Uint8Array): number {
  return (bcfRecordLength(begun, 0) ?? LENGTHS_BYTES) - begun.length;
}

/** Bases [start, end) of one contig, 0-based. */
export interface BcfInterval extends BaseInterval {
  /** The number of the contig in the header's dictionary. */
  readonly referenceId: number;
}

/**
 * Creates a filter of uncompressed BCF records, without the header, that keeps those that overlap an interval. A record covers
 * the span that `parseBcfRecordSpan` returns, except that a telomere (POS 0 in VCF) counts as on the first base.
 *
 * @example
 * ```ts
 * import { createBcfFilter, parseBcfHeader } from '@htskit/formats';
 *
 * export function recordsOfRegion(data: Uint8Array): Uint8Array[] {
 *   const { byteLength } = parseBcfHeader(data);
 *   const filter = createBcfFilter([{ referenceId: 0, start: 20_000, end: 20_100 }]);
 *   return [...filter.push(data.subarray(byteLength)), ...filter.finish()];
 * }
 * ```
 */
export function createBcfFilter(intervals: readonly BcfInterval[]): RecordFilter {
  const intervalsById = groupIntervals(intervals, (interval) => interval.referenceId);
  return createRecordFilter<BcfRecords>({
    isEndedByData: false,
    open: (bytes) => new BcfRecords(bytes),
    recordEnd: (records, at) => records.endAt(at),
    countMissing,
    keeps(records, at) {
      const { referenceId, baseStart, baseEnd } = records.spanAt(at);
      const interval = intervalsById.get(referenceId)?.firstEndingAfter(Math.max(0, baseStart));
      return interval !== undefined && interval.start < Math.max(1, baseEnd);
    },
  });
}
