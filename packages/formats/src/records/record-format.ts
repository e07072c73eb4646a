import type { BamCondition } from '../bam/criteria.js';
import { createBamFilter } from '../bam/filter.js';
import { BamHeaderReader } from '../bam/header.js';
import { BAM_LAYOUT } from '../bam/record-fields.js';
import { BcfHeaderReader } from '../bcf/header.js';
import { BCF_LAYOUT, type BcfLengthKeys, bcfLengthKeys, createBcfFilter } from '../bcf/record.js';
import { createVcfFilter } from '../vcf/filter.js';
import { VcfHeaderReader } from '../vcf/header-reader.js';
import { isRecordLine, VCF_LAYOUT } from '../vcf/record.js';
import type { HeaderReader } from './header-buffer.js';
import type { NameIds } from './name-table.js';
import { createRecordFilter, type RecordFilter } from './record-filter.js';
import type { RecordLimits } from './record-splitter.js';

/** Formats whose records are stored in BGZF blocks. */
export type BgzfFormat = 'BAM' | 'BCF' | 'VCF';

/** Reads a header, and keeps what records refer to. */
export interface RecordHeaderReader extends HeaderReader {
  /** The ids that records use for the references, by name. */
  readonly referenceIds: NameIds;
  /** BCF only: the INFO and FORMAT keys and filters, by the number that records use for them. */
  readonly strings?: ReadonlyMap<number, string>;
  /** Returns the bytes of the text of a header that `read` has returned the length of. */
  textBytes(header: Uint8Array): Uint8Array;
}

/**
 * Stands for the lengths of symbolic alleles, which give the ends of records in VCF 4.4 and later. Holds the numbers of their
 * keys in a BCF file, if its header declares them.
 */
export type LengthKeys = Partial<BcfLengthKeys>;

/** An interval as the filters of all formats take it. */
export interface RecordInterval {
  /** The id that records of BAM and BCF use for the reference. */
  readonly referenceId: number;
  /** The name that records of VCF use for it. */
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  /** Records that begin before this base are left out. */
  readonly recordsFrom?: number;
}

/** The operations that reading the records of one format takes. */
export interface RecordFormat {
  readonly createHeaderReader: (limits?: { readonly maxReferences?: number }) => RecordHeaderReader;
  /** Returns what a filter needs to know of the header; undefined for nothing. */
  readonly lengthKeys: (header: LengthKeysInput) => LengthKeys | undefined;
  /** Creates a filter that keeps the records that overlap an interval, or any if there are no intervals, and meet the condition. */
  readonly createFilter: (intervals: readonly RecordInterval[] | undefined, options: FilterOptions) => RecordFilter;
  /** Creates a filter that keeps all records, and so finds their ends in data that is cut anywhere. */
  readonly createWholeFilter: () => RecordFilter;
}

/** How records are filtered. */
interface FilterOptions extends RecordLimits {
  /** The result of `lengthKeys` for the header. */
  readonly lengthKeys: LengthKeys | undefined;
  /** BAM only: a condition that records must meet, too. */
  readonly condition?: BamCondition;
}

/** A part of a header: its text and, of BCF, the numbers of its keys. */
interface LengthKeysInput {
  readonly text: string;
  readonly strings?: ReadonlyMap<number, string>;
}

const keepAll = (): boolean => true;

export const BAM_RECORDS: RecordFormat = {
  createHeaderReader: (limits) => new BamHeaderReader(limits),
  lengthKeys: () => undefined,
  createFilter: (intervals, limits) => createBamFilter(intervals, limits),
  createWholeFilter: () => createRecordFilter({ ...BAM_LAYOUT, keeps: keepAll }),
};

export const BCF_RECORDS: RecordFormat = {
  createHeaderReader: () => new BcfHeaderReader(),
  lengthKeys: ({ text, strings = new Map() }) => bcfLengthKeys({ text, strings }),
  createFilter: (intervals, { lengthKeys: keys, ...limits }) =>
    intervals === undefined
      ? createRecordFilter({ ...BCF_LAYOUT, limits, keeps: keepAll })
      : createBcfFilter(intervals, { ...limits, lengthKeys: keys && { svlen: undefined, len: undefined, ...keys } }),
  createWholeFilter: () => createRecordFilter({ ...BCF_LAYOUT, keeps: keepAll }),
};

export const VCF_RECORDS: RecordFormat = {
  createHeaderReader: () => new VcfHeaderReader(),
  lengthKeys: () => undefined,
  createFilter: (intervals, limits) =>
    intervals === undefined
      ? createRecordFilter({ ...VCF_LAYOUT, limits, keeps: isRecordLine })
      : createVcfFilter(intervals, limits),
  createWholeFilter: () => createRecordFilter({ ...VCF_LAYOUT, keeps: isRecordLine }),
};
