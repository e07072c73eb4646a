import { type BaseInterval, type BaseIntervals, groupIntervals } from '../base-intervals.js';
import { RecordFilter, type RecordFiltering, type RecordReader } from '../record-filter.js';
import { toDataView } from './bam-data.js';
import { baseEnd, baseStart, checkRecord, countMissing, referenceId, wholeRecordEnd } from './record-fields.js';

/** Bases [start, end) of one reference, 0-based; `referenceId` is its rank in the header, −1 stands for none. */
export interface BamInterval extends BaseInterval {
  readonly referenceId: number;
}

/**
 * Keeps the records that overlap any of some intervals, from uncompressed BAM records that come in pieces cut anywhere.
 * How far a record reaches is what `parseBamRecordSpan` says; one without a reference mostly begins at −1.
 */
export class BamRecordFilter extends RecordFilter {
  constructor(intervals: readonly BamInterval[]) {
    super(new BamFiltering(intervals));
  }
}

class BamFiltering implements RecordFiltering {
  readonly countMissing = countMissing;
  readonly isEndedByData = false;
  readonly #intervals: ReadonlyMap<number, BaseIntervals>;

  constructor(intervals: readonly BamInterval[]) {
    this.#intervals = groupIntervals(intervals, ({ referenceId }) => referenceId);
  }

  read(bytes: Uint8Array): RecordReader {
    return new BamReader(toDataView(bytes), this.#intervals);
  }
}

class BamReader implements RecordReader {
  readonly #view: DataView;
  readonly #intervals: ReadonlyMap<number, BaseIntervals>;

  constructor(view: DataView, intervals: ReadonlyMap<number, BaseIntervals>) {
    this.#view = view;
    this.#intervals = intervals;
  }

  recordEnd(at: number): number | undefined {
    return wholeRecordEnd(this.#view, at);
  }

  keeps(at: number): boolean {
    const view = this.#view;
    checkRecord(view, at);
    const start = baseStart(view, at);
    const interval = this.#intervals.get(referenceId(view, at))?.firstEndingAfter(start);
    // The CIGAR is read only where the record begins in front of the interval
    return interval !== undefined && (interval.start <= start || interval.start < baseEnd(view, at));
  }
}
