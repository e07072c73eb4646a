import { readFileSync } from 'node:fs';
import { fixturePath } from './fixture.js';

/** Ordinals of records (rank in the file, from 0) as sorted inclusive ranges. */
export type OrdinalRanges = readonly (readonly [first: number, last: number])[];

/** What samtools or bcftools finds in a region; 0-based half-open in bases. `end` may lie beyond the reference. */
export interface ExpectedRegion {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  readonly records: OrdinalRanges;
}

interface ExpectedRecords {
  readonly file: string;
  /** File name of the index. */
  readonly index: string;
  readonly recordCount: number;
  /** Text of the header. */
  readonly header: string;
  /** Of the records as SAM or VCF text. */
  readonly textSha256: string;
  readonly regions: readonly ExpectedRegion[];
}

export interface AlignmentExpectations extends ExpectedRecords {
  readonly format: 'BAM' | 'CRAM';
  /** BAM only: of the uncompressed bytes behind the header. */
  readonly bodySha256?: string;
  readonly references: readonly {
    readonly name: string;
    readonly length: number;
    readonly mapped: number;
    readonly unmapped: number;
  }[];
  /** Records without position; they stand last. */
  readonly unplacedCount: number;
}

export interface VariantExpectations extends ExpectedRecords {
  readonly format: 'VCF' | 'BCF';
  /** Of the uncompressed bytes behind the header. */
  readonly bodySha256: string;
  readonly references: readonly { readonly name: string; readonly length: number; readonly records: number }[];
}

export interface ExpectedSequence {
  readonly name: string;
  readonly description: string;
  readonly circular: boolean;
  readonly length: number;
  readonly md5: string;
  /** With the prefix `SQ.` */
  readonly sha512t24u: string;
  readonly trunc512: string;
}

export interface FastaExpectations {
  readonly file: string;
  readonly format: 'FASTA';
  /** File names of the indexes: FAI, then GZI if the file is compressed. */
  readonly index: readonly string[];
  readonly sequences: readonly ExpectedSequence[];
  /** Bases as they stand in the file, lower case too. */
  readonly slices: readonly {
    readonly name: string;
    readonly start: number;
    readonly end: number;
    readonly bases: string;
  }[];
}

/** What samtools, bcftools and plain arithmetic say about a fixture; see fixtures/README.md. */
export function expectations(name: `${string}.bam` | `${string}.cram`): AlignmentExpectations;
export function expectations(name: `${string}.vcf.gz` | `${string}.bcf`): VariantExpectations;
export function expectations(name: `${string}.fa` | `${string}.fa.gz`): FastaExpectations;
export function expectations(name: string): AlignmentExpectations | VariantExpectations | FastaExpectations {
  const expected: unknown = JSON.parse(readFileSync(fixturePath(`expected/${name}.json`), 'utf8'));
  return expected as AlignmentExpectations | VariantExpectations | FastaExpectations;
}

/** Every ordinal of the ranges: [[0, 2], [7, 7]] gives 0, 1, 2, 7. */
export function toOrdinals(ranges: OrdinalRanges): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}
