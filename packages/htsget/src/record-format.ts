import {
  bamHeaderLength,
  bcfHeaderLength,
  createBamFilter,
  createBamRewriter,
  createBcfFilter,
  createBcfRewriter,
  createVcfFilter,
  createVcfRewriter,
  keepsAllKeys,
  keepsWholeBamRecords,
  parseBamHeader,
  parseBcfHeader,
  parseVcfHeader,
  vcfHeaderLength,
} from '@htskit/formats';
import type { RecordSelection, ReferenceInterval, Rewriting, StoredFormat } from './plan.js';

/** Formats whose records stand in BGZF blocks. */
export type BgzfFormat = Exclude<StoredFormat, 'CRAM'>;

/** Keeps some of uncompressed records that come in pieces cut anywhere, or rewrites them. What it gives may be used again. */
export interface RecordPieces {
  push(piece: Uint8Array): readonly Uint8Array[];
  finish(): readonly Uint8Array[];
}

/** As the filters of @htskit/formats take them. */
export interface RecordInterval extends ReferenceInterval {
  readonly recordsFrom?: number | undefined;
}

/** What a header says. */
export interface RecordHeader {
  readonly text: string;
  /** What records name each reference with, by name. */
  readonly referenceIds: ReadonlyMap<string, number>;
  /** What the numbers in records of BCF stand for: keys of INFO and FORMAT, and filters. Other formats have none. */
  readonly strings?: ReadonlyMap<number, string>;
}

/** What planning and streaming need of a format. */
export interface RecordFormat {
  /** Uncompressed bytes of the header, or undefined while more data is needed to tell. */
  headerLength(data: Uint8Array, options: { readonly isWhole: boolean }): number | undefined;
  parseHeader(data: Uint8Array, options: { readonly maxReferences: number }): RecordHeader;
  createFilter(intervals: readonly RecordInterval[]): RecordPieces;
  /** Whether a selection leaves all records as they are. */
  keepsAll(selection: RecordSelection): boolean;
  createRewriter(rewriting: Rewriting): RecordPieces;
}

export const RECORD_FORMATS: Readonly<Record<BgzfFormat, RecordFormat>> = {
  BAM: {
    headerLength: (data) => bamHeaderLength(data),
    parseHeader(data, options) {
      const { text, references } = parseBamHeader(data, options);
      return { text, referenceIds: new Map(references.map(({ name }, referenceId) => [name, referenceId])) };
    },
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
    createFilter: (intervals) => createBcfFilter(intervals),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection, header }) => createBcfRewriter(selection, header.strings ?? new Map()),
  },
  VCF: {
    headerLength: (data, { isWhole }) => vcfHeaderLength(data, { isWhole }),
    parseHeader(data) {
      const { text, contigs } = parseVcfHeader(data);
      return { text, referenceIds: new Map(contigs.map(({ name }, rank) => [name, rank])) };
    },
    createFilter: (intervals) => createVcfFilter(intervals),
    keepsAll: keepsAllKeys,
    createRewriter: ({ selection }) => createVcfRewriter(selection),
  },
};
