import { parseDecimal, quote } from '../parameter.js';
import { invalidInput } from './error.js';

/** The reference name that selects unplaced unmapped reads. For variants it is an unknown reference. */
export const UNPLACED = '*';

/**
 * A region of one reference in 0-based, half-open coordinates. Without `start` it begins at the first base of the
 * reference, without `end` it extends to the last.
 */
export interface HtsgetRegion {
  readonly referenceName: string;
  /** At most Number.MAX_SAFE_INTEGER: greater values are clamped. */
  readonly start?: number;
  /**
   * At most Number.MAX_SAFE_INTEGER: greater values are clamped. Unless the query has an `invalidRange`, `end` is at least
   * `start` in a GET and greater than it in a POST, where the two can become equal only by clamping.
   */
  readonly end?: number;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** A region whose coordinates are still text. */
export interface UncheckedRegion {
  readonly referenceName: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** A region of valid syntax. */
export interface CheckedRegion {
  readonly referenceName: string;
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** Parses the coordinates of a region. Throws `HtsgetError` InvalidInput for syntax errors. */
export function checkRegionSyntax(region: UncheckedRegion): CheckedRegion {
  const { referenceName } = region;
  const start = checkCoordinate('start', region.start);
  const end = checkCoordinate('end', region.end);
  if (referenceName === undefined) throw invalidInput('start and end need a referenceName');
  if (referenceName === '') throw invalidInput('referenceName is empty');
  if (referenceName === UNPLACED && (start !== undefined || end !== undefined)) {
    throw invalidInput(`referenceName ${quote(UNPLACED)} excludes start and end`);
  }
  return { referenceName, start, end };
}

function checkCoordinate(name: 'start' | 'end', text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const value = parseDecimal(text, MAX_INT64);
  if (value === undefined) throw invalidInput(`${name} must be an integer from 0 to 2^63-1, found ${quote(text)}`);
  return value;
}

/**
 * Returns the messages of a region that ends before its start. Compares the coordinates before they are clamped, so that a region
 * above 2^53 does not appear empty.
 */
export function rangeFault(
  { start = 0n, end }: CheckedRegion,
  options: { readonly allowEmptyRegions: boolean },
): string[] {
  if (end === undefined || start < end || (start === end && options.allowEmptyRegions)) return [];
  const relation = start === end ? 'equal to' : 'greater than';
  return [`start ${start} is ${relation} end ${end}`];
}

/** Clamps the coordinates to safe integers. */
export function toRegion({ referenceName, start, end }: CheckedRegion): HtsgetRegion {
  return {
    referenceName,
    start: start === undefined ? undefined : clamp(start),
    end: end === undefined ? undefined : clamp(end),
  };
}

function clamp(coordinate: bigint): number {
  return Math.min(Number(coordinate), Number.MAX_SAFE_INTEGER);
}
