import { IndexError } from '../index-error.js';

/** Bases of the smallest bins, as a power of two. */
export const DEFAULT_MIN_SHIFT = 14;
const MAX_MIN_SHIFT = 30;
/** The deepest index that HTSlib 1.16 numbers the bins of without an overflow; it writes deeper ones, with a wrong pseudo-bin. */
const MAX_DEPTH = 9;
/** HTSlib leaves room behind the end of the longest reference. */
const SPARE_BASES = 256;

/** Throws RangeError for a shift that is no whole number from 1 to 30. */
export function checkMinShift(minShift: number): void {
  if (Number.isInteger(minShift) && minShift >= 1 && minShift <= MAX_MIN_SHIFT) return;
  throw new RangeError(`a minShift of ${minShift} is not within 1 to ${MAX_MIN_SHIFT}`);
}

/**
 * The depth of a CSI index, as HTSlib computes it: the least, from the lower of `leastDepth` and 9 on, whose bins cover the
 * longest reference. Throws `IndexError` LIMIT_EXCEEDED over 9.
 */
export function csiDepth(minShift: number, longestReference: number, leastDepth = 0): number {
  let depth = Math.min(leastDepth, MAX_DEPTH);
  while (longestReference + SPARE_BASES > 2 ** (minShift + 3 * depth) && depth <= MAX_DEPTH) depth++;
  if (depth <= MAX_DEPTH) return depth;
  const message = `a reference of ${longestReference} bases needs more than ${MAX_DEPTH} levels of bins: use a larger minShift than ${minShift}`;
  throw new IndexError('LIMIT_EXCEEDED', message, { offset: 0 });
}
