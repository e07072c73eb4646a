import {
  type BamReference,
  bamHeaderLength,
  bcfHeaderLength,
  bcfLengthKeys,
  createBamFilter,
  createBcfFilter,
  createVcfFilter,
  hasAlleleLengths,
  parseBamHeader,
  parseBcfHeader,
  parseVcfHeader,
  type RecordFilter,
  vcfHeaderLength,
} from '@htskit/formats';
import { BAM_LAYOUT, BCF_LAYOUT, createRecordFilter, isRecordLine, VCF_LAYOUT } from '@htskit/formats/internal';
import type { Interval } from '../region.js';

/** Formats whose records are stored in BGZF blocks. */
export type BgzfFormat = 'BAM' | 'BCF' | 'VCF';

/** A reference of a file. */
export interface Reference {
  readonly name: string;
  /** Bases; undefined if the header does not declare it. */
  readonly length: number | undefined;
}

/** A parsed header: of any format. */
export interface FileHeader {
  readonly text: string;
  /** By the index that records and indexes use. A BCF header may have gaps. */
  readonly references: ReadonlyMap<number, Reference>;
  /** Creates a filter that keeps the records that overlap an interval. */
  readonly createFilter: (intervals: readonly Interval[]) => RecordFilter;
}

/** Reads the header of one format. */
export interface RecordFormat<Name extends BgzfFormat | 'tabix' = BgzfFormat | 'tabix'> {
  readonly name: Name;
  /** Returns the uncompressed length of the header, or undefined if more data is needed. */
  readonly measure: (data: Uint8Array, options: { readonly isWhole: boolean }) => number | undefined;
  readonly parse: (data: Uint8Array) => FileHeader;
  /** Creates a filter that keeps all records, and so finds their ends in data that is cut anywhere. */
  readonly createWholeFilter: () => RecordFilter;
}

const keepAll = (): boolean => true;

export const BAM_RECORDS: RecordFormat<'BAM'> = {
  name: 'BAM',
  measure: bamHeaderLength,
  parse(data) {
    const { text, references } = parseBamHeader(data);
    return toAlignmentHeader({ text, references });
  },
  createWholeFilter: () => createRecordFilter({ ...BAM_LAYOUT, keeps: keepAll }),
};

export const BCF_RECORDS: RecordFormat<'BCF'> = {
  name: 'BCF',
  measure: bcfHeaderLength,
  parse(data) {
    const { text, contigs, strings } = parseBcfHeader(data);
    const lengthKeys = bcfLengthKeys({ text, strings });
    return { text, references: contigs, createFilter: (intervals) => createBcfFilter(intervals, { lengthKeys }) };
  },
  createWholeFilter: () => createRecordFilter({ ...BCF_LAYOUT, keeps: keepAll }),
};

export const VCF_RECORDS: RecordFormat<'VCF'> = {
  name: 'VCF',
  measure: vcfHeaderLength,
  parse(data) {
    const { text, contigs } = parseVcfHeader(data);
    const alleleLengths = hasAlleleLengths(text);
    return {
      text,
      references: new Map(contigs.entries()),
      createFilter: (intervals) => createVcfFilter(intervals, { alleleLengths }),
    };
  },
  createWholeFilter: () => createRecordFilter({ ...VCF_LAYOUT, keeps: isRecordLine }),
};

/** Returns the header of an alignment file, whose records are BAM records. */
export function toAlignmentHeader(header: {
  readonly text: string;
  readonly references: readonly BamReference[];
}): FileHeader {
  return {
    text: header.text,
    references: new Map(header.references.entries()),
    createFilter: (intervals) => createBamFilter(intervals),
  };
}
