import type { VirtualOffset } from '@htskit/bgzf';
import type { HtsgetFormat, HtsgetQuery } from '@htskit/protocol';
import type { RecordHeader } from './record-format.js';

/** Formats that files are stored in; VCFTEXT is made from VCF. */
export type StoredFormat = Exclude<HtsgetFormat, 'VCFTEXT'>;

/** Bases [start, end) of one reference, 0-based. */
export interface ReferenceInterval {
  /** What records name the reference with: its rank in the header of BAM and CRAM, its number in that of BCF. */
  readonly referenceId: number;
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes that are already here: a header, an end marker. */
export interface InlineSegment {
  readonly kind: 'inline';
  readonly class: 'header' | 'body';
  readonly bytes: Uint8Array;
}

/** Bytes [start, end) of the stored object as they are: whole containers of a CRAM file. */
export interface RangeSegment {
  readonly kind: 'range';
  readonly class: 'header' | 'body';
  readonly start: number;
  readonly end: number;
}

/**
 * The BGZF data between two virtual offsets. Blocks that lie wholly inside are passed through untouched, the first and
 * the last are re-blocked where an offset points into them. With `intervals`, only the records that overlap one of
 * them remain. As VCFTEXT, the data is sent uncompressed.
 */
export interface CutSegment {
  readonly kind: 'cut';
  readonly class: 'header' | 'body';
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
  readonly intervals?: readonly ReferenceInterval[];
  /**
   * Records on the reference of the first interval that begin in front of this base are left out: the segment before, of
   * the same data with other intervals, has them.
   */
  readonly recordsFrom?: number | undefined;
}

/** A segment that is read from the stored object when it is asked for. */
export type StoredSegment = RangeSegment | CutSegment;

export type Segment = InlineSegment | StoredSegment;

/** Intervals of a cut. Its block URL carries them: with more, it could become too long for the servers and proxies on its way. */
export const MAX_INTERVALS = 64;

/** Characters that they may have there: many servers and proxies take 8 kB for a whole URL, and its headers. */
export const MAX_INTERVAL_CHARACTERS = 4500;

/** What records keep: all fields, or those of `fields`; all tags, or those of `tags`; and none of `notags`. */
export type RecordSelection = Pick<HtsgetQuery, 'fields' | 'tags' | 'notags'>;

/** What rewrites the records of a file. */
export interface Rewriting {
  readonly selection: RecordSelection;
  /** That of the file: records of BCF name their tags by numbers of it. */
  readonly header: RecordHeader;
}

/** What to send, in order: concatenated, the segments are a complete file of `format`. */
export interface Plan {
  readonly format: HtsgetFormat;
  readonly segments: readonly Segment[];
  /** What becomes of the records in cuts of class `body`. Default nothing: they are sent as they are. */
  readonly rewriting?: Rewriting | undefined;
}

/**
 * How closely a region is cut. `chunks`: at the edges of the index's chunks, a superset; `exact`: only records that
 * overlap; `auto`: exact while the compressed bytes to scan stay under a limit, chunks beyond.
 */
export type Precision = 'auto' | 'exact' | 'chunks';
