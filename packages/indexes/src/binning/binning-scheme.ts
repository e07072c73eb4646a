/** Bins of one level. Each of them has eight children, which are bins of the next level. */
export interface BinLevel {
  /** Bins of the level are numbered from `first` up to, not including, `end`. */
  readonly first: number;
  readonly end: number;
  /** Bases that one bin spans. */
  readonly span: number;
}

/** How a reference is divided into bins (SAMv1 §5.1.1, CSIv1). */
export interface BinningScheme {
  /** Binary logarithm of the bases that the smallest bins span. */
  readonly minShift: number;
  /** From the one bin over everything down to the smallest bins. */
  readonly levels: readonly BinLevel[];
  /** Bases that the scheme covers; the first coordinate that it cannot hold. */
  readonly span: number;
  /** Bins are numbered from 0 up to, not including, this. */
  readonly binLimit: number;
  /** The number of the pseudo-bin that carries a reference's statistics (SAMv1 §5.2). */
  readonly pseudoBin: number;
}

/** The scheme with smallest bins of 2^minShift bases, `depth` levels below the one bin over everything. */
export function createBinningScheme({ minShift, depth }: { minShift: number; depth: number }): BinningScheme {
  const levels: BinLevel[] = [];
  let first = 0;
  for (let level = 0; level <= depth; level++) {
    const end = first + 8 ** level;
    levels.push({ first, end, span: 2 ** (minShift + 3 * (depth - level)) });
    first = end;
  }
  return { minShift, levels, span: 2 ** (minShift + 3 * depth), binLimit: first, pseudoBin: first + 1 };
}

/** The scheme of BAI and TBI: bins of 16 kb and more, references of up to 2^29 bases, pseudo-bin 37450. */
export const UCSC_SCHEME: BinningScheme = createBinningScheme({ minShift: 14, depth: 5 });
