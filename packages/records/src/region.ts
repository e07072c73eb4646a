import {
  describeRepeatedReference,
  describeUnknownReference,
  type KnownReferences,
  parseRegionText,
} from '@htskit/formats/internal';
import { RecordsError } from './records-error.js';

/** Bases [start, end) of one reference, 0-based. */
export interface Region {
  /** `*` selects the reads without a reference. */
  readonly referenceName: string;
  /** Default: the start of the reference. */
  readonly start?: number;
  /** Default: the end of the reference. */
  readonly end?: number;
}

/** Regions, or texts of samtools such as `chr1:1,001-2,000`, whose positions are 1-based and inclusive: bases [1000, 2000). */
export type Regions = Region | string | readonly (Region | string)[];

/** A region whose reference is known. */
export interface Interval {
  readonly referenceName: string;
  /** The index of the reference in the header; −1 for reads without a reference. */
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

const UNPLACED = '*';
const UNPLACED_ID = -1;

/** Resolves regions. Throws `RecordsError` INVALID_REGION, AMBIGUOUS_REFERENCE and, unless they are skipped, UNKNOWN_REFERENCE. */
export function toIntervals(
  regions: Regions,
  references: KnownReferences,
  { skipUnknown = false }: { readonly skipUnknown?: boolean },
): Interval[] {
  let names: ReadonlySet<string> | undefined;
  // Without an index, `referenceId` takes every text for the name of a reference of a VCF file.
  const isReference = (name: string): boolean => {
    names ??= new Set(references.names());
    return names.has(name);
  };
  return (isList(regions) ? regions : [regions]).flatMap((value) => {
    const region = typeof value === 'string' ? parseRegion(value, isReference) : value;
    const interval = toInterval(region, references);
    if (interval !== undefined) return [interval];
    if (skipUnknown) return [];
    throw new RecordsError('UNKNOWN_REFERENCE', describeUnknownReference(region.referenceName, references));
  });
}

function parseRegion(text: string, isReference: (name: string) => boolean): Region {
  try {
    return parseRegionText(text, isReference);
  } catch (error) {
    throw error instanceof SyntaxError ? new RecordsError('INVALID_REGION', error.message) : error;
  }
}

/** Returns undefined for an unknown reference. */
function toInterval(
  { referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }: Region,
  references: KnownReferences,
): Interval | undefined {
  if (typeof referenceName !== 'string') {
    throw new RecordsError('INVALID_REGION', 'expected { referenceName, start?, end? } or a text such as "chr1:1-100"');
  }
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end)) {
    throw new RecordsError('INVALID_REGION', `expected integers 0 ≤ start ≤ end, found start ${start}, end ${end}`);
  }
  if (referenceName === UNPLACED && references.hasUnplaced) {
    // Reads without a reference may have any position.
    return { referenceName, referenceId: UNPLACED_ID, start: -(2 ** 31), end: Number.MAX_SAFE_INTEGER };
  }
  if (references.isRepeated(referenceName)) {
    throw new RecordsError('AMBIGUOUS_REFERENCE', describeRepeatedReference(referenceName));
  }
  const referenceId = references.referenceId(referenceName);
  return referenceId === undefined ? undefined : { referenceName, referenceId, start, end };
}

/** An interval, of whose records those that begin before `recordsFrom` are left out: they overlap the interval before. */
export interface DisjointInterval extends Interval {
  readonly recordsFrom: number;
}

/**
 * Groups intervals by reference, and merges those of one reference that overlap or touch. Each record that overlaps any of them is
 * selected by one interval of the result. Empty intervals are left out.
 */
export function toDisjoint(intervals: readonly Interval[]): DisjointInterval[][] {
  const groups = new Map<string, DisjointInterval[]>();
  const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  for (const interval of sorted) {
    const group = groups.get(interval.referenceName);
    const last = group?.at(-1);
    if (group === undefined || last === undefined) {
      groups.set(interval.referenceName, [{ ...interval, recordsFrom: Number.NEGATIVE_INFINITY }]);
    } else if (last.end < interval.start) group.push({ ...interval, recordsFrom: last.end });
    else if (last.end < interval.end) group[group.length - 1] = { ...last, end: interval.end };
  }
  return Array.from(groups.values());
}

/** Returns the intervals that have a reference, and whether reads without a reference are selected. */
export function splitIntervals(intervals: readonly Interval[]): { placed: Interval[]; isUnplaced: boolean } {
  const placed = intervals.filter(({ referenceId }) => referenceId !== UNPLACED_ID);
  return { placed, isUnplaced: placed.length < intervals.length };
}

/** Returns the error of a region of a file without an index. */
export function missingIndex(): RecordsError {
  return new RecordsError('MISSING_INDEX', 'regions need an index, and there is none; write one with htskit index');
}

function isList(regions: Regions): regions is readonly (Region | string)[] {
  return Array.isArray(regions);
}
