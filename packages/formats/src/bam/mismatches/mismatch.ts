/** How an alignment differs from its reference at one place. Read and reference bases are upper-case letters. */
export interface Mismatch {
  readonly type: 'substitution' | 'insertion' | 'deletion' | 'skip' | 'softClip' | 'hardClip';
  /** The reference base, 0-based: the first one concerned, or the one before which bases are inserted or clipped. */
  readonly start: number;
  /** Bases: of the reference for a deletion or skip, otherwise of the read. */
  readonly length: number;
  /** The index in SEQ of the first base concerned, or of the one before which reference bases are missing. */
  readonly readStart: number;
  /** The bases of the read; empty if it has no such bases or no SEQ. */
  readonly bases: string;
  /** The bases of a substitution's or deletion's reference; undefined if neither MD nor reference bases have them. */
  readonly reference: string | undefined;
}

/** The number of each type in columns and callbacks. */
export const MISMATCH_NUMBERS: Readonly<Record<Mismatch['type'], number>> = {
  substitution: 0,
  insertion: 1,
  deletion: 2,
  skip: 3,
  softClip: 4,
  hardClip: 5,
};

/** The types of mismatches, by the number that columns and callbacks use. */
export const MISMATCH_KINDS: readonly Mismatch['type'][] = [
  'substitution',
  'insertion',
  'deletion',
  'skip',
  'softClip',
  'hardClip',
];

/**
 * Called for a mismatch with its kind, an index in `MISMATCH_KINDS`; its `start`, `length` and `readStart`, as `Mismatch` has them;
 * and the ASCII codes of the read base and of the reference base of a substitution. The codes are 0 for other kinds, and for a base
 * that is not known.
 */
export type VisitMismatch = (
  kind: number,
  start: number,
  length: number,
  readStart: number,
  base: number,
  reference: number,
) => void;

/** Bases of the reference of an alignment. */
export interface ReferenceBases {
  readonly bases: string;
  /** The position of the first base, 0-based. Default: 0. */
  readonly start?: number;
}

/** The source of the bases of the reference. */
export interface MismatchOptions {
  /** Bases that cover the alignment. Default: those of the tag MD. */
  readonly reference?: ReferenceBases | undefined;
}
