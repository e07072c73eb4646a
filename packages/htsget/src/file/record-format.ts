import {
  BamHeaderReader,
  BcfHeaderReader,
  bcfLengthKeys,
  createBamFilter,
  createBamRewriter,
  createBcfFilter,
  createBcfRewriter,
  createVcfFilter,
  createVcfRewriter,
  hasAlleleLengths,
  keepsAllKeys,
  keepsWholeBamRecords,
  type NameIds,
  type RecordFilter,
  type RecordLimits,
  VcfHeaderReader,
} from '@htskit/formats';
import type { LengthKeys, RecordHeader, RecordSelection, ReferenceInterval } from '../plan/plan.js';
import type { StoredFormat } from './stored-file.js';

/** Formats whose records are stored in BGZF blocks. */
export type BgzfFormat = Exclude<StoredFormat, 'CRAM'>;

/**
 * Filters or rewrites uncompressed records that arrive in pieces cut anywhere. The returned pieces are valid until the next
 * call.
 */
export interface RecordPieces {
  push(piece: Uint8Array): readonly Uint8Array[];
  finish(): readonly Uint8Array[];
}

/** An interval as the filters of @htskit/formats take it. */
export interface RecordInterval extends ReferenceInterval {
  readonly recordsFrom?: number | undefined;
}

/** How records are rewritten, as the rewriters of @htskit/formats take it. */
export interface RecordRewriting {
  readonly selection: RecordSelection;
  /** BCF only: see `RecordHeader`. */
  readonly strings: RecordHeader['strings'];
  /** BCF only: whether the lengths of symbolic alleles give the ends of records, as in VCF 4.4 and later. */
  readonly alleleLengths: boolean;
}

/** The header of a BGZF file. */
export interface BgzfHeader extends RecordHeader {
  readonly referenceIds: NameIds;
}

/** Reads a header whose data arrives in parts. */
export interface HeaderReader {
  /**
   * Returns the uncompressed length of the header, or undefined if more data is needed. `data` starts with that of the call
   * before.
   */
  measure(data: Uint8Array, options: { readonly isWhole: boolean }): number | undefined;
  /** Returns the bytes of the text of the header that `measure` has returned the length of. */
  textBytes(header: Uint8Array): Uint8Array;
  /** Returns the header that `measure` has read. */
  toHeader(text: string): BgzfHeader;
}

/** How records are filtered. */
interface FilterOptions extends RecordLimits {
  /** The result of `lengthKeys` for the header. */
  readonly lengthKeys: LengthKeys | undefined;
}

/** The operations on a BGZF format that planning and delivery need. */
export interface BgzfRecordFormat {
  createHeaderReader(options: { readonly maxReferences: number }): HeaderReader;
  /** Returns what a filter needs to know of the header; undefined for nothing. */
  lengthKeys(header: RecordHeader): LengthKeys | undefined;
  createFilter(intervals: readonly RecordInterval[], options: FilterOptions): RecordFilter;
  /** Whether a selection leaves all records as they are. */
  keepsAll(selection: RecordSelection): boolean;
  createRewriter(rewriting: RecordRewriting & RecordLimits): RecordPieces;
}

export const RECORD_FORMATS: Readonly<Record<BgzfFormat, BgzfRecordFormat>> = {
  BAM: {
    createHeaderReader(limits) {
      const reader = new BamHeaderReader(limits);
      return {
        measure: (data) => reader.read(data),
        textBytes: (header) => reader.textBytes(header),
        toHeader: (text) => ({ text, referenceIds: reader.names }),
      };
    },
    lengthKeys: () => undefined,
    createFilter: (intervals, limits) => createBamFilter(intervals, limits),
    keepsAll: keepsWholeBamRecords,
    createRewriter: ({ selection, ...limits }) => createBamRewriter(selection, limits),
  },
  BCF: {
    createHeaderReader() {
      const reader = new BcfHeaderReader();
      return {
        measure: (data) => reader.read(data),
        textBytes: (header) => reader.textBytes(header),
        toHeader: (text) => ({ text, referenceIds: reader.contigs, strings: reader.strings }),
      };
    },
    lengthKeys: ({ text, strings = new Map() }) => bcfLengthKeys({ text, strings }),
    createFilter: (intervals, { lengthKeys: keys, ...limits }) =>
      createBcfFilter(intervals, { ...limits, lengthKeys: keys && { svlen: undefined, len: undefined, ...keys } }),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection, strings = new Map(), ...options }) => createBcfRewriter(selection, strings, options),
  },
  VCF: {
    createHeaderReader() {
      const reader = new VcfHeaderReader();
      return {
        measure: (data, options) => reader.read(data, options),
        textBytes: (header) => header,
        toHeader: (text) => ({ text, referenceIds: reader.names }),
      };
    },
    lengthKeys: ({ text }) => (hasAlleleLengths(text) ? {} : undefined),
    createFilter: (intervals, { lengthKeys, ...limits }) =>
      createVcfFilter(intervals, { ...limits, alleleLengths: lengthKeys !== undefined }),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection, ...limits }) => createVcfRewriter(selection, limits),
  },
};
