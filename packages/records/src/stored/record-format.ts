import { type BamReference, parseBamHeader, parseBcfHeader, parseVcfHeader, type RecordFilter } from '@htskit/formats';
import {
  BAM_RECORDS,
  BCF_RECORDS,
  type BgzfFormat,
  createNameLookup,
  type HeaderReader,
  type KnownReferences,
  type NameLookup,
  namedReferences,
  numberedReferences,
  type RecordFormat,
  VCF_RECORDS,
} from '@htskit/formats/internal';
import type { BinningIndex } from '@htskit/indexes';
import type { Interval } from '../region.js';

export type { BgzfFormat };

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
  readonly createFilter: (intervals: readonly (Interval & { readonly recordsFrom?: number })[]) => RecordFilter;
}

/** How the header and the records of a format are found in data. */
export interface RecordReading extends Pick<RecordFormat, 'createWholeFilter'> {
  readonly createHeaderReader: () => HeaderReader;
}

/** Reads the header and the records of one format. */
export interface StoredRecords<Name extends BgzfFormat | 'tabix' = BgzfFormat | 'tabix'> {
  readonly name: Name;
  /** A property of its own, because a spread would keep all formats in every bundle. */
  readonly reading: RecordReading;
  readonly parse: (data: Uint8Array) => FileHeader;
}

export const BAM_FILE: StoredRecords<'BAM'> = {
  name: 'BAM',
  reading: BAM_RECORDS,
  parse: (data) => toAlignmentHeader(parseBamHeader(data)),
};

export const BCF_FILE: StoredRecords<'BCF'> = {
  name: 'BCF',
  reading: BCF_RECORDS,
  parse(data) {
    const header = parseBcfHeader(data);
    return { text: header.text, references: header.contigs, createFilter: bindFilter(BCF_RECORDS, header) };
  },
};

export const VCF_FILE: StoredRecords<'VCF'> = {
  name: 'VCF',
  reading: VCF_RECORDS,
  parse(data) {
    const header = parseVcfHeader(data);
    const references = new Map(header.contigs.entries());
    return { text: header.text, references, createFilter: bindFilter(VCF_RECORDS, header) };
  },
};

/** Returns the header of an alignment file, whose records are BAM records. */
export function toAlignmentHeader(header: {
  readonly text: string;
  readonly references: readonly BamReference[];
}): FileHeader {
  const references = new Map(header.references.entries());
  return { text: header.text, references, createFilter: bindFilter(BAM_RECORDS, header) };
}

function bindFilter(
  { lengthKeys, createFilter }: RecordFormat,
  header: Parameters<RecordFormat['lengthKeys']>[0],
): FileHeader['createFilter'] {
  const options = { lengthKeys: lengthKeys(header) };
  return (intervals) => createFilter(intervals, options);
}

/** The ids of names, for regions of the same file: an assembly may have a million contigs. */
const lookups = new WeakMap<FileHeader, NameLookup>();

/** Returns the references that regions of a file may name. */
export function knownReferences(
  format: BgzfFormat | 'CRAM' | 'tabix',
  header: FileHeader,
  index?: BinningIndex,
): KnownReferences {
  const ids = lookups.get(header) ?? createNameLookup(Array.from(header.references, ([id, { name }]) => [name, id]));
  lookups.set(header, ids);
  if (format === 'VCF' || format === 'tabix') return namedReferences(ids, index);
  return numberedReferences(ids, { hasUnplaced: format !== 'BCF' });
}
