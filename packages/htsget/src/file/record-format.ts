import {
  type BamCriteria,
  createBamRewriter,
  createBcfRewriter,
  createVcfRewriter,
  type SampleSubset,
} from '@htskit/formats';
import {
  BAM_RECORDS,
  BCF_RECORDS,
  type BgzfFormat,
  keepsAllKeys,
  keepsAllRecords,
  keepsWholeBamRecords,
  type NameIds,
  type NameLookup,
  type RecordFormat,
  type RecordInterval,
  type RecordLimits,
  VCF_RECORDS,
} from '@htskit/formats/internal';
import type { BorrowedBytes } from '@htskit/io';
import type { HtsgetQuery } from '@htskit/protocol';
import type { SelectedSamples } from '../samples/packed-samples.js';

export type { BgzfFormat, RecordInterval };

/** Filters or rewrites uncompressed records that arrive in pieces cut anywhere. */
export interface RecordPieces {
  push(piece: BorrowedBytes): readonly BorrowedBytes[];
  finish(): readonly BorrowedBytes[];
}

/** The parts that records keep: the named fields and tags, or all of them if undefined, and none of `notags`. */
export type PartSelection = Pick<HtsgetQuery, 'fields' | 'tags' | 'notags'>;

/** The conditions that reads must meet. */
export type ReadConditions = Pick<HtsgetQuery, 'requireFlags' | 'excludeFlags' | 'minMappingQuality'>;

/** Which records and samples are kept, and which parts of them. */
export interface RecordSelection extends PartSelection, ReadConditions {
  /** Default: all samples. */
  readonly samples?: SelectedSamples;
}

/** The parsed header of a file. */
export interface RecordHeader {
  readonly text: string;
  /** The id that records use for each reference, by name. */
  readonly referenceIds: NameLookup;
  /** BCF only: the INFO and FORMAT keys and filters, by the number that records use for them. */
  readonly strings?: ReadonlyMap<number, string>;
}

/** How records are rewritten, as the rewriters of @htskit/formats take it. */
export interface RecordRewriting {
  readonly selection: PartSelection;
  /** BAM only: the conditions that records must meet. Default: none. */
  readonly criteria?: BamCriteria;
  /** Variants only: the samples that records keep. Default: all. */
  readonly subset?: SampleSubset;
  /** BCF only: see `RecordHeader`. */
  readonly strings: RecordHeader['strings'];
  /** BCF only: whether the lengths of symbolic alleles give the ends of records, as in VCF 4.4 and later. */
  readonly alleleLengths: boolean;
}

/** The header of a BGZF file. */
export interface BgzfHeader extends RecordHeader {
  readonly referenceIds: NameIds;
}

/** The operations on a BGZF format that planning and delivery need. */
export interface BgzfRecordFormat extends RecordFormat {
  /** Whether a selection leaves all records as they are. */
  keepsAll(selection: RecordSelection): boolean;
  /** Returns undefined if the records that are kept stay as they are. */
  createRewriter(rewriting: RecordRewriting & RecordLimits): RecordPieces | undefined;
}

export const RECORD_FORMATS: Readonly<Record<BgzfFormat, BgzfRecordFormat>> = {
  BAM: {
    ...BAM_RECORDS,
    keepsAll: (selection) =>
      selection.samples === undefined && keepsAllRecords(selection) && keepsWholeBamRecords(selection),
    createRewriter: ({ selection, ...limits }) =>
      keepsWholeBamRecords(selection) ? undefined : createBamRewriter(selection, limits),
  },
  BCF: {
    ...BCF_RECORDS,
    keepsAll: keepsAllVariants,
    createRewriter: ({ selection, subset, strings = new Map(), ...options }) =>
      createBcfRewriter({ ...selection, subset }, strings, options),
  },
  VCF: {
    ...VCF_RECORDS,
    keepsAll: keepsAllVariants,
    createRewriter: ({ selection, subset, ...limits }) => createVcfRewriter({ ...selection, subset }, limits),
  },
};

function keepsAllVariants(selection: RecordSelection): boolean {
  return selection.samples === undefined && keepsAllKeys(selection);
}
