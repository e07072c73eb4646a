import type { VirtualOffset } from '@htskit/bgzf';
import type { HtsgetFormat } from '@htskit/protocol';

/** Bases [start, end) of one reference, 0-based; `referenceId` is its rank in the file's header. */
export interface ReferenceInterval {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** Bytes that are already here: a header, the EOF marker. */
export interface InlineSegment {
  readonly kind: 'inline';
  readonly class: 'header' | 'body';
  readonly bytes: Uint8Array;
}

/**
 * The BGZF data between two virtual offsets. Blocks that lie wholly inside are passed through untouched, the first and
 * the last are re-blocked where an offset points into them. With `intervals`, only the records that overlap one of
 * them remain.
 */
export interface CutSegment {
  readonly kind: 'cut';
  readonly class: 'header' | 'body';
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
  readonly intervals?: readonly ReferenceInterval[];
}

/**
 * Intervals of a cut, or of the cuts that share a block URL, which carries them. With more a URL could become too long
 * for the servers and proxies on its way, so a cut with more is sent unfiltered: a superset.
 */
export const MAX_INTERVALS = 64;

export type Segment = InlineSegment | CutSegment;

/** What to send, in order: concatenated, the segments are a complete file of `format`. */
export interface Plan {
  readonly format: HtsgetFormat;
  readonly segments: readonly Segment[];
}

/**
 * How closely a region is cut. `chunks`: at the edges of the index's chunks, a superset; `exact`: only records that
 * overlap; `auto`: exact while the compressed bytes to scan stay under a limit, chunks beyond.
 */
export type Precision = 'auto' | 'exact' | 'chunks';
