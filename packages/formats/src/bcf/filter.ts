import { type BaseInterval, groupIntervals } from '../base-intervals.js';
import { createRecordFilter, type RecordFilter } from '../record-filter.js';
import { BcfRecords, countMissing } from './record.js';

/** Bases [start, end) of one contig, 0-based. */
export interface BcfInterval extends BaseInterval {
  /** The number of the contig in the header's dictionary. */
  readonly referenceId: number;
}

/**
 * Creates a filter of uncompressed BCF records, without the header, that keeps those that overlap an interval. A record covers
 * the span that `parseBcfRecordSpan` returns, except that a telomere (POS 0 in VCF) counts as on the first base.
 *
 * @example
 * ```ts
 * import { createBcfFilter, parseBcfHeader } from '@htskit/formats';
 *
 * export function recordsOfRegion(data: Uint8Array): Uint8Array[] {
 *   const { byteLength } = parseBcfHeader(data);
 *   const filter = createBcfFilter([{ referenceId: 0, start: 20_000, end: 20_100 }]);
 *   return [...filter.push(data.subarray(byteLength)), ...filter.finish()];
 * }
 * ```
 */
export function createBcfFilter(intervals: readonly BcfInterval[]): RecordFilter {
  const intervalsById = groupIntervals(intervals, (interval) => interval.referenceId);
  return createRecordFilter<BcfRecords>({
    isEndedByData: false,
    open: (bytes) => new BcfRecords(bytes),
    recordEnd: (records, at) => records.endAt(at),
    countMissing,
    keeps(records, at) {
      const { referenceId, baseStart, baseEnd } = records.spanAt(at);
      const interval = intervalsById.get(referenceId)?.firstEndingAfter(Math.max(0, baseStart));
      return interval !== undefined && interval.start < Math.max(1, baseEnd);
    },
  });
}
