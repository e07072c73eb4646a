import type { ReferenceBins } from './reference-bins.js';

export interface LowerBoundQuery {
  readonly bins: ReferenceBins;
  /** Of the bins that overlap the region. */
  readonly fromRanks: readonly number[];
  readonly baseStart: number;
  /** Position of the first entry of the linear index, and how many there are; 0 in a CSI. */
  readonly windowsAt: number;
  readonly windowCount: number;
  /**
   * Whether the reference may have unmapped records, which HTSlib before 1.15 left out of what the lower bound is found
   * in.
   */
  readonly mayHaveUnmapped: boolean;
}

/**
 * Finds where in the index the virtual offset stands before which no record begins that reaches `baseStart` or beyond;
 * NOWHERE if the index does not tell. The formats differ in what they keep for this.
 */
export type LowerBound = (words: Uint32Array, query: LowerBoundQuery) => number;
