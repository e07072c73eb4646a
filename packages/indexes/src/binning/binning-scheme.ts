/** The bins of one level. Each has eight children on the next level. */
export interface BinLevel {
  /** The bins of the level have the numbers `first` to `end`, half-open. */
  readonly first: number;
  readonly end: number;
  /** Bases per bin. */
  readonly span: number;
}

/** How a reference is divided into bins (SAMv1 §5.1.1, CSIv1). */
export interface BinningScheme {
  /** Binary logarithm of the bases per smallest bin. */
  readonly minShift: number;
  /** From the single bin of the top level to the smallest bins. */
  readonly levels: readonly BinLevel[];
  /** Bases that the scheme covers. */
  readonly span: number;
  /** Number of bins, which have the numbers 0 to `binLimit`, half-open. */
  readonly binLimit: number;
  /** Number of the pseudo-bin, which stores the statistics of a reference (SAMv1 §5.2). */
  readonly pseudoBin: number;
}

/** Creates the scheme whose smallest bins have 2^minShift bases and are `depth` levels below the top level. */
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

/** The scheme of BAI and TBI: bins from 16 kb, references of up to 2^29 bases, pseudo-bin 37450. */
export const UCSC_SCHEME: BinningScheme = createBinningScheme({ minShift: 14, depth: 5 });
