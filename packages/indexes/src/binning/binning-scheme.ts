import { IndexError } from '../index-error.js';

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

/** The maximum number of levels of a scheme. With one more, bin numbers would exceed 32 bits. */
export const MAX_LEVELS = 11;

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

/** The default of `minShift`: smallest bins of 2^14 bases. */
export const DEFAULT_MIN_SHIFT = 14;
const MAX_MIN_SHIFT = 30;
/**
 * The greatest depth at which bin numbers do not overflow in HTSlib 1.16, which writes deeper indexes with a wrong pseudo-bin.
 */
const MAX_DEPTH = 9;
/** HTSlib reserves this many bases after the end of the longest reference. */
const SPARE_BASES = 256;

/** Throws RangeError unless `minShift` is an integer from 1 to 30. */
export function checkMinShift(minShift: number): void {
  if (Number.isInteger(minShift) && minShift >= 1 && minShift <= MAX_MIN_SHIFT) return;
  throw new RangeError(`minShift must be an integer from 1 to ${MAX_MIN_SHIFT}, found ${minShift}`);
}

/**
 * Computes the depth of a CSI index as HTSlib does: the smallest depth, at least `leastDepth`, whose bins cover the longest
 * reference. Throws `IndexError` LIMIT_EXCEEDED above 9.
 */
export function csiDepth(minShift: number, longestReference: number, leastDepth = 0): number {
  let depth = Math.min(leastDepth, MAX_DEPTH);
  while (longestReference + SPARE_BASES > 2 ** (minShift + 3 * depth) && depth <= MAX_DEPTH) depth++;
  if (depth <= MAX_DEPTH) return depth;
  const message = `a reference of ${longestReference} bases needs more than ${MAX_DEPTH} levels of bins; use a minShift above ${minShift}`;
  throw new IndexError('LIMIT_EXCEEDED', message, { offset: 0 });
}
