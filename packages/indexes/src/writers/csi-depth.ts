import { IndexError } from '../index-error.js';

/** The default of `minShift`: smallest bins of 2^14 bases. */
export const DEFAULT_MIN_SHIFT = 14;
const MAX_MIN_SHIFT = 30;
/** The greatest depth at which bin numbers do not overflow in HTSlib 1.16, which writes deeper indexes with a wrong pseudo-bin. */
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
