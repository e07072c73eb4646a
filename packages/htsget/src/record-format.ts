import {
  BamRecordFilter,
  BcfRecordFilter,
  bamHeaderLength,
  bcfHeaderLength,
  parseBamHeader,
  parseBcfHeader,
  parseVcfHeader,
  VcfRecordFilter,
  vcfHeaderLength,
} from '@htskit/formats';
import type { ReferenceInterval, StoredFormat } from './plan.js';

/** Formats whose records stand in BGZF blocks. */
export type BgzfFormat = Exclude<StoredFormat, 'CRAM'>;

/** Keeps the records that overlap, from uncompressed records that come in pieces cut anywhere. */
export interface RecordFilter {
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
}

/** What planning and streaming need of a format. */
export interface RecordFormat {
  /** Uncompressed bytes of the header, or undefined while more data is needed to tell. */
  headerLength(data: Uint8Array, options: { readonly isWhole: boolean }): number | undefined;
  parseHeader(data: Uint8Array, options: { readonly maxReferences: number }): RecordHeader;
  createFilter(intervals: readonly RecordInterval[]): RecordFilter;
}

export const RECORD_FORMATS: Readonly<Record<BgzfFormat, RecordFormat>> = {
  BAM: {
    headerLength: (data) => bamHeaderLength(data),
    parseHeader(data, options) {
      const { text, references } = parseBamHeader(data, options);
      return { text, referenceIds: new Map(references.map(({ name }, referenceId) => [name, referenceId])) };
    },
    createFilter: (intervals) => new BamRecordFilter(intervals),
  },
  BCF: {
    headerLength: (data) => bcfHeaderLength(data),
    parseHeader(data) {
      const { text, contigs } = parseBcfHeader(data);
      return { text, referenceIds: new Map(Array.from(contigs, ([index, { name }]) => [name, index])) };
    },
    createFilter: (intervals) => new BcfRecordFilter(intervals),
  },
  VCF: {
    headerLength: (data, { isWhole }) => vcfHeaderLength(data, { isWhole }),
    parseHeader(data) {
      const { text, contigs } = parseVcfHeader(data);
      return { text, referenceIds: new Map(contigs.map(({ name }, rank) => [name, rank])) };
    },
    createFilter: (intervals) => new VcfRecordFilter(intervals),
  },
};
