import { type BaseInterval, type BaseIntervals, groupIntervals } from '../base-intervals.js';
import { RecordFilter, type RecordFiltering, type RecordReader } from '../record-filter.js';
import { BcfRecords, countMissing } from './record.js';

/** Bases [start, end) of one contig, 0-based; `referenceId` is its number in the header. */
export interface BcfInterval extends BaseInterval {
  readonly referenceId: number;
}

/**
 * Keeps the records that overlap any of some intervals, from uncompressed BCF records that come in pieces cut anywhere.
 * How far a record reaches is what `parseBcfRecordSpan` says; a telomere, POS 0 of VCF, counts as on the first base.
 */
export class BcfRecordFilter extends RecordFilter {
  constructor(intervals: readonly BcfInterval[]) {
    super(new BcfFiltering(intervals));
  }
}

class BcfFiltering implements RecordFiltering {
  readonly countMissing = countMissing;
  readonly isEndedByData = false;
  readonly #intervals: ReadonlyMap<number, BaseIntervals>;

  constructor(intervals: readonly BcfInterval[]) {
    this.#intervals = groupIntervals(intervals, ({ referenceId }) => referenceId);
  }

  read(bytes: Uint8Array): RecordReader {
    return new BcfReader(bytes, this.#intervals);
  }
}

class BcfReader implements RecordReader {
  readonly #records: BcfRecords;
  readonly #intervals: ReadonlyMap<number, BaseIntervals>;

  constructor(bytes: Uint8Array, intervals: ReadonlyMap<number, BaseIntervals>) {
    this.#records = new BcfRecords(bytes);
    this.#intervals = intervals;
  }

  recordEnd(at: number): number | undefined {
    return this.#records.endAt(at);
  }

  keeps(at: number): boolean {
    const { referenceId, baseStart, baseEnd } = this.#records.spanAt(at);
    const interval = this.#intervals.get(referenceId)?.firstEndingAfter(Math.max(0, baseStart));
    return interval !== undefined && interval.start < Math.max(1, baseEnd);
  }
}
