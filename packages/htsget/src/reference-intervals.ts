import { HtsgetError, type HtsgetQuery, UNPLACED } from '@htskit/protocol';
import type { ReferenceInterval } from './plan.js';

/** What a query asks for, by where it lies. */
export interface WantedRecords {
  /** Sorted, and apart from each other on each reference. */
  readonly intervals: readonly ReferenceInterval[];
  /** Whether the records without a reference are asked for. */
  readonly unplaced: boolean;
}

/** The regions of a query, and what is wrong with them. */
export interface RegionsQuery
  extends Pick<HtsgetQuery, 'class' | 'regions' | 'invalidRange' | 'fields' | 'tags' | 'notags'> {
  /** Whether regions on references that the file does not have are passed over, since nobody has asked for them. */
  readonly skipsUnknown?: boolean;
}

/** What is known of the references of a file. */
export interface KnownReferences {
  /** What records name a reference with; undefined for one that the file does not have. */
  readonly referenceId: (name: string) => number | undefined;
  /** Whether records may be without a reference, as reads may. */
  readonly hasUnplaced: boolean;
}

/**
 * The bases that the regions of a query ask for, sorted and merged. Throws `HtsgetError` NotFound for a reference that the
 * file does not have, then InvalidRange for a region that is none.
 */
export function resolveRegions(
  { regions = [], invalidRange, skipsUnknown = false }: RegionsQuery,
  { referenceId, hasUnplaced }: KnownReferences,
): WantedRecords {
  const placed = regions.filter(({ referenceName }) => referenceName !== UNPLACED);
  const intervals = placed.flatMap(({ referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }) => {
    const id = referenceId(referenceName);
    if (id === undefined && skipsUnknown) return [];
    if (id === undefined) throw new HtsgetError('NotFound', 'the file has no reference of that name');
    return { referenceId: id, referenceName, start, end };
  });
  const isUnplacedAsked = placed.length < regions.length;
  if (isUnplacedAsked && !hasUnplaced && !skipsUnknown) {
    throw new HtsgetError('NotFound', 'variants have no unplaced records');
  }
  if (invalidRange !== undefined) throw new HtsgetError('InvalidRange', invalidRange);
  return {
    intervals: mergeIntervals(intervals.filter(({ start, end }) => start < end)),
    unplaced: isUnplacedAsked && hasUnplaced,
  };
}

/** Sorted by reference and start; those that overlap or touch are one. */
export function mergeIntervals(intervals: readonly ReferenceInterval[]): ReferenceInterval[] {
  const merged: ReferenceInterval[] = [];
  for (const interval of [...intervals].sort(compareIntervals)) {
    const last = merged.at(-1);
    const joins = last?.referenceName === interval.referenceName && last.end >= interval.start;
    if (joins) merged[merged.length - 1] = { ...last, end: Math.max(last.end, interval.end) };
    else merged.push(interval);
  }
  return merged;
}

function compareIntervals(a: ReferenceInterval, b: ReferenceInterval): number {
  return a.referenceId - b.referenceId || a.start - b.start;
}
