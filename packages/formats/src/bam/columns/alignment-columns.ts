import type { ListColumn } from '../../columns/list-column.js';
import type { MismatchColumns } from './mismatch-columns.js';
import type { TagColumn } from './tag-column.js';

/** The column of each field of alignments. Coordinates are 0-based and half-open. */
export interface AlignmentColumnTypes {
  /** The index of the reference in the header; −1 without one. */
  readonly referenceId: Int32Array<ArrayBuffer>;
  /** The first base that the alignment covers; −1 for a record without a position. */
  readonly start: Int32Array<ArrayBuffer>;
  /** The end of the alignment. A record that is unmapped, or covers no base, is one base long, as in htslib. */
  readonly end: Int32Array<ArrayBuffer>;
  /** FLAG. */
  readonly flags: Uint16Array<ArrayBuffer>;
  /** MAPQ; 255 if it is not available. */
  readonly mappingQuality: Uint8Array<ArrayBuffer>;
  /** The index of the next segment's reference; −1 without one. */
  readonly mateReferenceId: Int32Array<ArrayBuffer>;
  /** The position of the next segment; −1 without one. */
  readonly mateStart: Int32Array<ArrayBuffer>;
  /** TLEN. */
  readonly templateLength: Int32Array<ArrayBuffer>;
  /** The bytes of QNAME; `*` if the record has no name. */
  readonly names: ListColumn<Uint8Array<ArrayBuffer>>;
  /** The operations of CIGAR as BAM stores them: the length times 16, plus the code of the type in `MIDNSHP=X`. */
  readonly cigar: ListColumn<Uint32Array<ArrayBuffer>>;
  /** The upper-case ASCII letters of SEQ; empty if it is not stored. */
  readonly sequence: ListColumn<Uint8Array<ArrayBuffer>>;
  /** Phred scores; not valid if they are not stored. */
  readonly qualities: ListColumn<Uint8Array<ArrayBuffer>>;
  /** The differences between the alignments and their reference, as `AlignmentRecord.mismatches` yields them. */
  readonly mismatches: MismatchColumns;
}

/** A field that columns can hold. */
export type AlignmentColumnField = keyof AlignmentColumnTypes;

/** Records as columns: one for each requested field, and one for each requested tag. */
export type AlignmentColumns<Field extends AlignmentColumnField = AlignmentColumnField, Tag extends string = never> = {
  /** The number of records. */
  readonly length: number;
} & Pick<AlignmentColumnTypes, Field> &
  ([Tag] extends [never] ? unknown : AlignmentTagColumns<Tag>);

/** The columns of tags. */
export interface AlignmentTagColumns<Tag extends string> {
  /** The column of each requested tag; undefined if no record of the batch has the tag. */
  readonly tags: { readonly [Name in Tag]: TagColumn | undefined };
}
