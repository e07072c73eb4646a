import type { ReferenceBins } from './reference-bins.js';

interface LowerBoundQuery {
  readonly referenceId: number;
  readonly bins: ReferenceBins;
  readonly baseStart: number;
}

/**
 * Finds where in the index the virtual offset stands before which no record begins that reaches `baseStart` or beyond;
 * NOWHERE if the index does not tell. The formats differ in what they keep for this.
 */
export type LowerBound = (query: LowerBoundQuery) => number;
