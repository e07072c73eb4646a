import type { VirtualOffset } from '@htskit/bgzf';
import type { CramHeader, VariantHeaderInput } from '@htskit/formats';
import type { LengthKeys } from '@htskit/formats/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import type { RecordHeader, RecordSelection } from '../file/record-format.js';

/** Bases [start, end) of one reference, 0-based. */
export interface ReferenceInterval {
  /** The id that records use for the reference: its index in a BAM or CRAM header, its contig number in a BCF header. */
  readonly referenceId: number;
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes that the plan holds itself: a header or an end marker. */
export interface InlineSegment {
  readonly kind: 'inline';
  readonly class: 'header' | 'body';
  readonly bytes: Uint8Array;
}

/** Bytes [start, end) of the stored object, sent as they are: whole containers of a CRAM file, or whole BGZF blocks. */
export interface RangeSegment {
  readonly kind: 'range';
  readonly class: 'header' | 'body';
  readonly start: number;
  readonly end: number;
}

/**
 * The BGZF data between two virtual offsets. Blocks that lie wholly inside pass through untouched. The first and the last
 * block are re-blocked if an offset points into them. With `intervals`, only the records that overlap one of them remain.
 * VCFTEXT is sent uncompressed.
 *
 * In a CRAM file, which is converted, the offsets are those of containers, with a `uoffset` of 0.
 */
export interface CutSegment {
  readonly kind: 'cut';
  readonly class: 'header' | 'body';
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
  readonly intervals?: readonly ReferenceInterval[];
  /**
   * Records on the reference of the first interval that begin before this base are left out. They belong to the previous
   * segment, which cuts the same data with other intervals.
   */
  readonly recordsFrom?: number;
  /**
   * With intervals: whether records may be in any order, as in a file without an index. Otherwise none is kept after the last
   * interval.
   */
  readonly isUnsorted?: boolean;
  /** With intervals, for VCF 4.4 and later: the lengths of symbolic alleles count for the ends of records. */
  readonly lengthKeys?: LengthKeys;
}

/**
 * The header of an answer that has another one than its file: `Conversion.header` or `Rewriting.answerHeader`. Sent by URL, because it
 * is too long for a ticket.
 */
interface HeaderSegment {
  readonly kind: 'header';
  readonly class: 'header';
}

/** A segment that is made from the stored object when it is delivered. */
type StoredSegment = RangeSegment | CutSegment | HeaderSegment;

export type Segment = InlineSegment | StoredSegment;

/** The end marker of an answer that holds nothing inline: see `SegmentFormat.endMarker`. */
interface EndSegment {
  readonly kind: 'end';
  readonly class: 'body';
}

/** A segment that a block URL stands for. */
export type ClaimedSegment = StoredSegment | EndSegment;

/** A segment of an answer. Those of plans are `Segment`. */
export type SentSegment = Segment | EndSegment;

/** How the records of a file are rewritten. */
export interface Rewriting {
  readonly selection: RecordSelection;
  /** The header of the file: BCF records refer to their tags by number. */
  readonly header: RecordHeader;
  /** The header of the answer, as it is sent. Default: that of the file, or of the conversion. */
  readonly answerHeader?: Uint8Array;
}

/** How the records of a variant file are converted. Plain data, so that it can be posted to a worker. */
export interface VariantConversion {
  readonly from: 'BCF' | 'VCF';
  /** The header of the file. */
  readonly input: VariantHeaderInput;
}

/** How the records of a CRAM file are converted to BAM. Plain data, so that it can be posted to a worker. */
interface CramConversion {
  readonly from: 'CRAM';
  readonly header: CramHeader;
  /** See `CramTransformOptions`. */
  readonly sliceBytes: number;
}

/** How an answer is made in another format than that of its file. */
export interface Conversion {
  /** The header of the answer, as it is sent. */
  readonly header: Uint8Array;
  readonly records: VariantConversion | CramConversion;
}

/** The segments to send, in order: the concatenated segments are a complete file of `format`. */
export interface Plan {
  readonly format: HtsgetFormat;
  readonly segments: readonly Segment[];
  /** Applies to the header, and to the records in cuts of class `body`. Default: both are sent as they are. */
  readonly rewriting?: Rewriting;
  /** How the records in cuts, all of class `body`, are converted. Default: the answer has the format of the file. */
  readonly conversion?: Conversion;
}

/**
 * How closely a region is cut. `chunks` cuts at the edges of the index's chunks and sends a superset. `exact` sends only
 * records that overlap. `auto` is exact for each region whose compressed bytes to scan stay under a limit, and cuts at chunks
 * beyond.
 */
export type Precision = 'auto' | 'exact' | 'chunks';
