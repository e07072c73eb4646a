import { describeRepeatedReference, describeUnknownReference, type KnownReferences } from '@htskit/formats/internal';
import { HtsgetError, UNPLACED } from '@htskit/protocol';
import type { ReferenceInterval } from './plan.js';
import type { PlanQuery } from './plan-input.js';

/** The records that a query selects, by position. */
export interface SelectedRecords {
  /** Sorted and disjoint on each reference. */
  readonly intervals: readonly ReferenceInterval[];
  /** Whether the records without a reference are selected. */
  readonly unplaced: boolean;
}

/**
 * Returns the bases that the regions of a query select, sorted and merged. Throws `HtsgetError` NotFound for a reference
 * that the file does not have, InvalidInput for one that it declares more than once, then InvalidRange for an invalid region.
 */
export function resolveRegions(
  { regions = [], invalidRange, skipsUnknown = false }: PlanQuery,
  references: KnownReferences,
): SelectedRecords {
  const { referenceId, isRepeated, hasUnplaced } = references;
  const placed = regions.filter(({ referenceName }) => referenceName !== UNPLACED);
  const intervals = placed.flatMap(({ referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }) => {
    if (isRepeated(referenceName)) throw new HtsgetError('InvalidInput', describeRepeatedReference(referenceName));
    const id = referenceId(referenceName);
    if (id === undefined && skipsUnknown) return [];
    if (id === undefined) throw new HtsgetError('NotFound', describeUnknownReference(referenceName, references));
    return { referenceId: id, referenceName, start, end };
  });
  const selectsUnplaced = placed.length < regions.length;
  if (selectsUnplaced && !hasUnplaced && !skipsUnknown) {
    throw new HtsgetError('NotFound', `unknown reference "${UNPLACED}": variants have no unplaced records`);
  }
  if (invalidRange !== undefined) throw new HtsgetError('InvalidRange', invalidRange);
  return {
    intervals: mergeIntervals(intervals.filter(({ start, end }) => start < end)),
    unplaced: selectsUnplaced && hasUnplaced,
  };
}

/** Sorts intervals by reference and start, and merges those that overlap or touch. */
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
