import {
  type BaseInterval,
  type BaseIntervals,
  createRecordFilter,
  groupIntervals,
  isPastAll,
  type RecordFilter,
} from '../records/record-filter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import type { BamCondition } from './criteria.js';
import { BAM_LAYOUT, baseEnd, baseStart, checkRecord, referenceId } from './record-fields.js';

/** Bases [start, end) of one reference, 0-based. */
export interface BamInterval extends BaseInterval {
  /** The index of the reference in the header; −1 for records without a reference. */
  readonly referenceId: number;
}

/** Options of a filter of BAM records. */
export interface BamFilterOptions extends RecordLimits {
  /** A condition that records must meet, too: see `createBamCondition`. Default: none. */
  readonly condition?: BamCondition;
}

/**
 * Creates a filter of uncompressed BAM records, without the header, that keeps those that overlap an interval and meet a condition. A
 * record covers the span that `parseBamRecordSpan` returns; most records without a reference start at −1. Without intervals,
 * all records that meet the condition are kept.
 *
 * @example
 * ```ts
 * import { createBamFilter } from '@htskit/formats';
 *
 * export function* recordsOfRegion(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
 *   const filter = createBamFilter([{ referenceId: 0, start: 20_000, end: 20_100 }]);
 *   for (const piece of pieces) yield* filter.push(piece);
 *   yield* filter.finish();
 * }
 * ```
 */
export function createBamFilter(
  intervals: readonly BamInterval[] | undefined,
  { condition, ...limits }: BamFilterOptions = {},
): RecordFilter {
  const intervalsById = groupIntervals(intervals ?? [], (interval) => interval.referenceId);
  return createRecordFilter({
    ...BAM_LAYOUT,
    limits,
    isPast: () => isPastAll(intervalsById),
    keeps(view, at) {
      checkRecord(view, at);
      if (intervals !== undefined && !overlaps(view, at, intervalsById)) return false;
      return condition === undefined || condition(view, at);
    },
  });
}

/** Whether the record at `at` overlaps one of the intervals of its reference. */
function overlaps(view: DataView, at: number, intervalsById: ReadonlyMap<number, BaseIntervals>): boolean {
  const start = baseStart(view, at);
  const interval = intervalsById.get(referenceId(view, at))?.firstEndingAfter(start);
  // The CIGAR is read only if the record starts before the interval.
  return interval !== undefined && (interval.start <= start || interval.start < baseEnd(view, at));
}
