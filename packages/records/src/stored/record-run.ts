import {
  BAM_LAYOUT,
  bamBaseEnd,
  bamBaseStart,
  bamRecordEnd,
  bamReferenceId,
  type groupIntervals,
} from '@htskit/formats/internal';
import { firstIndex } from '@htskit/io/internal';

/** The intervals of each reference, by its index in the header. */
export type IntervalsById = ReturnType<typeof groupIntervals<{ readonly start: number; readonly end: number }, number>>;

/** Memory that is not used is given back if it is more than this part of the records. */
const MAX_UNUSED = 1 / 4;

/** BAM records that are kept, with their places, so that those of an interval are found by binary search. */
export class RecordRun {
  readonly #bytes: Uint8Array;
  /** The offset of each record, and that after the last one. */
  readonly #offsets: Uint32Array;
  /** The first base of each record. */
  readonly #starts: Int32Array;
  /** The greatest end of each record and those before it. */
  readonly #ends: Int32Array;
  /** The reference of all records; undefined if they have several, or are not sorted. */
  readonly #referenceId: number | undefined;

  /** Takes memory that holds nothing but whole records, as the decoder of CRAM writes them. */
  constructor(bytes: Uint8Array) {
    const unused = bytes.buffer.byteLength - bytes.length;
    this.#bytes = unused > MAX_UNUSED * bytes.length ? bytes.slice() : bytes;
    const view = BAM_LAYOUT.open(this.#bytes);
    let count = 0;
    for (let at = 0; at < bytes.length; at = bamRecordEnd(view, at)) count++;
    this.#offsets = new Uint32Array(count + 1);
    this.#starts = new Int32Array(count);
    this.#ends = new Int32Array(count);
    const referenceId = count === 0 ? undefined : bamReferenceId(view, 0);
    let isSorted = true;
    let [lastStart, end] = [-(2 ** 31), -(2 ** 31)];
    for (let record = 0, at = 0; record < count; record++) {
      const start = bamBaseStart(view, at);
      end = Math.max(end, bamBaseEnd(view, at));
      isSorted = isSorted && start >= lastStart && bamReferenceId(view, at) === referenceId;
      lastStart = start;
      this.#starts[record] = start;
      this.#ends[record] = end;
      at = bamRecordEnd(view, at);
      this.#offsets[record + 1] = at;
    }
    this.#referenceId = isSorted ? referenceId : undefined;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#bytes.buffer.byteLength + this.#offsets.byteLength + this.#starts.byteLength + this.#ends.byteLength;
  }

  /** Yields parts of the records, in order: whole records, among them all that overlap an interval. */
  *near(intervals: IntervalsById): Generator<Uint8Array, void> {
    if (this.#referenceId === undefined || this.#referenceId < 0) {
      yield this.#bytes;
      return;
    }
    const starts = this.#starts;
    const ends = this.#ends;
    const selected = intervals.get(this.#referenceId);
    let interval = selected?.firstEndingAfter(starts[0] ?? 0);
    for (let from = 0; interval !== undefined && from < starts.length; ) {
      const { start, end } = interval;
      const first = firstIndex(starts.length, (record) => (ends[record] ?? 0) > start, from);
      from = firstIndex(starts.length, (record) => (starts[record] ?? 0) >= end, first);
      if (first < from) yield this.#bytes.subarray(this.#offsets[first], this.#offsets[from]);
      interval = selected?.firstEndingAfter(Math.max(end, starts[from] ?? end));
    }
  }
}
