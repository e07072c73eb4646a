import {
  type BaseInterval,
  createRecordFilter,
  groupIntervals,
  isPastAll,
  type RecordFilter,
} from '../records/record-filter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { BAM_LAYOUT, baseEnd, baseStart, checkRecord, referenceId } from './record-fields.js';

/** Bases [start, end) of one reference, 0-based. */
export interface BamInterval extends BaseInterval {
  /** The index of the reference in the header; −1 for records without a reference. */
  readonly referenceId: number;
}

/**
 * Creates a filter of uncompressed BAM records, without the header, that keeps those that overlap an interval. A record covers
 * the span that `parseBamRecordSpan` returns; most records without a reference start at −1.
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
export function createBamFilter(intervals: readonly BamInterval[], limits: RecordLimits = {}): RecordFilter {
  const intervalsById = groupIntervals(intervals, (interval) => interval.referenceId);
  return createRecordFilter({
    ...BAM_LAYOUT,
    limits,
    isPast: () => isPastAll(intervalsById),
    keeps(view, at) {
      checkRecord(view, at);
      const start = baseStart(view, at);
      const interval = intervalsById.get(referenceId(view, at))?.firstEndingAfter(start);
      // The CIGAR is read only if the record starts before the interval.
      return interval !== undefined && (interval.start <= start || interval.start < baseEnd(view, at));
    },
  });
}
