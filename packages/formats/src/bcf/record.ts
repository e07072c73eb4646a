import { FormatError, invalidData } from '../format-error.js';
import {
  type BaseInterval,
  createRecordFilter,
  groupIntervals,
  isPastAll,
  type RecordFilter,
} from '../records/record-filter.js';
import type { RecordLayout, RecordLimits } from '../records/record-splitter.js';
import { alleleKind, hasAlleleLengths } from '../vcf/allele-end.js';
import type { BcfHeader } from './header.js';
import { TypedValueReader } from './typed-value.js';

/** The end of a record, and the bases of its contig that it covers. */
export interface BcfRecordSpan {
  /** The offset just after the record. */
  readonly byteEnd: number;
  /** The number of the contig in the header's dictionary. */
  readonly referenceId: number;
  /** 0-based; −1 for a telomere, which is POS 0 in VCF. */
  readonly baseStart: number;
  /**
   * Exclusive: the start plus rlen, which may be 0, or plus the length of REF if rlen is negative, as in htslib. With
   * `lengthKeys`, at least the ends of REF and of the symbolic alleles.
   */
  readonly baseEnd: number;
}

/** The numbers of the keys that give the lengths of symbolic alleles; undefined if the header does not declare them. */
export interface BcfLengthKeys {
  readonly svlen: number | undefined;
  readonly len: number | undefined;
}

/** Options of the spans of BCF records. */
export interface BcfSpanOptions {
  /** The result of `bcfLengthKeys` for the header. Default: ends are those of rlen. */
  readonly lengthKeys?: BcfLengthKeys;
}

/**
 * Returns the keys SVLEN and LEN of a header of VCF 4.4 or later, where rlen includes the lengths of symbolic alleles
 * (VCFv4.5 §6.3.1). Programs that do not know these versions write a smaller rlen. Returns undefined for other headers.
 *
 * @example
 * ```ts
 * import { bcfLengthKeys, createBcfFilter, parseBcfHeader, type RecordFilter } from '@htskit/formats';
 *
 * export function filterOf(data: Uint8Array): RecordFilter {
 *   const lengthKeys = bcfLengthKeys(parseBcfHeader(data));
 *   return createBcfFilter([{ referenceId: 0, start: 20_000, end: 20_100 }], { lengthKeys });
 * }
 * ```
 */
export function bcfLengthKeys({ text, strings }: Pick<BcfHeader, 'text' | 'strings'>): BcfLengthKeys | undefined {
  if (!hasAlleleLengths(text)) return undefined;
  const keys: { svlen: number | undefined; len: number | undefined } = { svlen: undefined, len: undefined };
  for (const [key, name] of strings) {
    if (name === 'SVLEN') keys.svlen = key;
    else if (name === 'LEN') keys.len = key;
  }
  return keys;
}

/** Bytes of l_shared and l_indiv, which do not count themselves. */
export const LENGTHS_BYTES = 8;
/** Bytes of the fixed-size fields of the shared part. */
const SHARED_FIXED_BYTES = 24;
/** Offsets of the fields of a record (VCFv4.3 §6.3.1). */
export const RECORD_FIELDS = { rlen: 16, infoCount: 24, alleleCount: 26, sampleCount: 28, formatCount: 31 } as const;
/** n_sample takes three bytes; n_fmt is the fourth. */
export const MAX_SAMPLES = 0xffffff;
/** The most bytes that a record may have here. */
const MAX_RECORD_LENGTH = 2 ** 28;

/**
 * Uncompressed BCF data whose records are read in place. Creating one takes as long as reading a record, so a walk over many
 * records should share one.
 */
export class BcfRecords {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  readonly #lengthKeys: BcfLengthKeys | undefined;

  constructor(data: Uint8Array, { lengthKeys }: BcfSpanOptions = {}) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.length);
    this.#lengthKeys = lengthKeys;
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
    const length = rlen < 0 ? this.#refLength(at) : rlen;
    const alleleLength = this.#lengthKeys === undefined ? 0 : this.#alleleLength(at, byteEnd, this.#lengthKeys);
    return { byteEnd, referenceId, baseStart, baseEnd: baseStart + Math.max(length, alleleLength) };
  }

  /** Returns the length of REF, the value that follows ID after the fixed-size fields. */
  #refLength(at: number): number {
    const values = this.#sharedValues(at);
    values.skip();
    return values.skip();
  }

  /** Returns a reader of the values that follow the fixed-size fields, ID first. */
  #sharedValues(at: number): TypedValueReader {
    const shared = at + LENGTHS_BYTES;
    const values = new TypedValueReader(this.#view);
    values.enter(shared + SHARED_FIXED_BYTES, shared + this.#view.getUint32(at, true));
    return values;
  }

  /** Returns the bases that REF and the longest symbolic allele cover. The first base of a structural variant follows POS. */
  #alleleLength(at: number, byteEnd: number, { svlen, len }: BcfLengthKeys): number {
    const view = this.#view;
    const values = this.#sharedValues(at);
    values.skip();
    let length = 0;
    const kinds = Array.from({ length: view.getUint16(at + RECORD_FIELDS.alleleCount, true) }, (_, allele) => {
      const byteLength = values.skip();
      if (allele === 0) length = byteLength;
      return alleleKind(this.#data, values.at - byteLength, values.at);
    });
    if (svlen !== undefined && kinds.includes('SVLEN')) {
      values.skip();
      const lengths = findIntegers(values, { key: svlen, count: view.getUint16(at + RECORD_FIELDS.infoCount, true) });
      for (const [index, svLength] of lengths.entries()) {
        if (kinds[index + 1] === 'SVLEN' && svLength !== 0) length = Math.max(length, 1 + Math.abs(svLength));
      }
    }
    if (len !== undefined && kinds.includes('LEN')) {
      values.enter(at + LENGTHS_BYTES + view.getUint32(at, true), byteEnd);
      const rows = view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES;
      const count = view.getUint8(at + RECORD_FIELDS.formatCount);
      for (const blockLength of findIntegers(values, { key: len, count, rows })) length = Math.max(length, blockLength);
    }
    return length;
  }
}

interface KeyedValues {
  readonly key: number;
  /** How many keys there are, each with a value for each of `rows` samples. */
  readonly count: number;
  readonly rows?: number;
}

/** Returns the integers of a key of INFO or FORMAT, or none if the record does not have it. */
function findIntegers(values: TypedValueReader, { key, count, rows = 1 }: KeyedValues): readonly number[] {
  for (let i = 0; i < count; i++) {
    if (values.readInteger() === key) return values.readIntegers(rows);
    values.skip(rows);
  }
  return [];
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
 */
export function parseBcfRecordSpan(data: Uint8Array, at: number, options: BcfSpanOptions = {}): BcfRecordSpan {
  return new BcfRecords(data, options).spanAt(at);
}

/** How BCF records are delimited. */
export const BCF_LAYOUT: RecordLayout<BcfRecords> = {
  isEndedByData: false,
  open: (bytes) => new BcfRecords(bytes),
  recordEnd: (records, at) => records.endAt(at),
  countMissing,
};

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
export function createBcfFilter(
  intervals: readonly BcfInterval[],
  options: BcfSpanOptions & RecordLimits = {},
): RecordFilter {
  const intervalsById = groupIntervals(intervals, (interval) => interval.referenceId);
  return createRecordFilter<BcfRecords>({
    ...BCF_LAYOUT,
    limits: options,
    open: (bytes) => new BcfRecords(bytes, options),
    isPast: () => isPastAll(intervalsById),
    keeps(records, at) {
      const { referenceId, baseStart, baseEnd } = records.spanAt(at);
      const interval = intervalsById.get(referenceId)?.firstEndingAfter(Math.max(0, baseStart));
      return interval !== undefined && interval.start < Math.max(1, baseEnd);
    },
  });
}
