import {
  bamHeaderLength,
  bcfHeaderLength,
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
  parseBamHeader,
  parseBcfHeader,
  parseVcfHeader,
  vcfHeaderLength,
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

/** The operations on a BGZF format that planning and delivery need. */
export interface BgzfRecordFormat {
  /** Returns the uncompressed length of the header, or undefined if more data is needed. */
  headerLength(data: Uint8Array, options: { readonly isWhole: boolean }): number | undefined;
  parseHeader(data: Uint8Array, options: { readonly maxReferences: number }): RecordHeader;
  /** Returns what a filter needs to know of the header; undefined for nothing. */
  lengthKeys(header: RecordHeader): LengthKeys | undefined;
  createFilter(intervals: readonly RecordInterval[], lengthKeys: LengthKeys | undefined): RecordPieces;
  /** Whether a selection leaves all records as they are. */
  keepsAll(selection: RecordSelection): boolean;
  createRewriter(rewriting: RecordRewriting): RecordPieces;
}

export const RECORD_FORMATS: Readonly<Record<BgzfFormat, BgzfRecordFormat>> = {
  BAM: {
    headerLength: (data) => bamHeaderLength(data),
    parseHeader(data, options) {
      const { text, references } = parseBamHeader(data, options);
      return { text, referenceIds: new Map(references.map(({ name }, referenceId) => [name, referenceId])) };
    },
    lengthKeys: () => undefined,
    createFilter: (intervals) => createBamFilter(intervals),
    keepsAll: keepsWholeBamRecords,
    createRewriter: ({ selection }) => createBamRewriter(selection),
  },
  BCF: {
    headerLength: (data) => bcfHeaderLength(data),
    parseHeader(data) {
      const { text, contigs, strings } = parseBcfHeader(data);
      return { text, referenceIds: new Map(Array.from(contigs, ([index, { name }]) => [name, index])), strings };
    },
    lengthKeys: ({ text, strings = new Map() }) => bcfLengthKeys({ text, strings }),
    createFilter: (intervals, keys) =>
      createBcfFilter(intervals, { lengthKeys: keys && { svlen: undefined, len: undefined, ...keys } }),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection, strings = new Map(), alleleLengths }) =>
      createBcfRewriter(selection, strings, { alleleLengths }),
  },
  VCF: {
    headerLength: (data, { isWhole }) => vcfHeaderLength(data, { isWhole }),
    parseHeader(data) {
      const { text, contigs } = parseVcfHeader(data);
      return { text, referenceIds: new Map(contigs.map(({ name }, index) => [name, index])) };
    },
    lengthKeys: ({ text }) => (hasAlleleLengths(text) ? {} : undefined),
    createFilter: (intervals, keys) => createVcfFilter(intervals, { alleleLengths: keys !== undefined }),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection }) => createVcfRewriter(selection),
  },
};
