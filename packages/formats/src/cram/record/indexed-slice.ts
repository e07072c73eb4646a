import { firstIndex } from '@htskit/io/internal';
import type { IntervalsById } from '../../records/record-filter.js';
import type { RecordSource } from '../slice/record-head.js';
import type { StoredSlice } from '../slice/stored-slice.js';
import { StreamPlaces } from '../slice/stream-places.js';
import { type DecodeSliceOptions, readHeads, type SliceHeads, STATE_BYTES } from './decode-slice.js';
import type { RecordSink } from './record-sink.js';
import type { RecordTable } from './record-table.js';
import { SliceDecoder } from './slice-records.js';

/** Records that are decoded at once. */
const PAGE_RECORDS = 32;

/** An uncompressed slice, and the means of decoding its records. */
export interface IndexedSliceOptions extends Omit<DecodeSliceOptions, 'sink' | 'intervals' | 'openSource'> {
  /** Its numbers are decoded at once, so that it can be read from any place. */
  readonly source: RecordSource;
}

/** The first record, and that after the last one. */
type RecordRange = readonly [first: number, end: number];

/** A slice that stays uncompressed, with the places of its records, so that those of an interval are decoded alone. */
export class IndexedSlice {
  readonly #options: IndexedSliceOptions;
  readonly #places: StreamPlaces;
  readonly #heads: SliceHeads;
  /** The greatest end of each record and those before it. */
  readonly #ends: Int32Array;
  /** The reference of all records; undefined if they have several, or are not sorted. */
  readonly #referenceId: number | undefined;

  /** Decodes the heads of the records. Throws `FormatError`. */
  constructor(options: IndexedSliceOptions) {
    const { source, wanted, references, namePrefix } = options;
    const { recordCount } = source.slice.header;
    const { streams } = source.series;
    const placeCount = Math.ceil(recordCount / PAGE_RECORDS);
    source.slice.hold(STATE_BYTES * recordCount + Uint32Array.BYTES_PER_ELEMENT * streams.length * placeCount);
    const places = new StreamPlaces(streams, placeCount);
    this.#options = options;
    this.#places = places;
    const visit = (record: number): void => {
      if (record % PAGE_RECORDS === 0) places.keep(record / PAGE_RECORDS);
    };
    let heads = readHeads({ references, namePrefix, keepsNames: false, visit }, source);
    if (wanted.names && heads.lacksNames && recordCount > 0) {
      places.restore(0);
      heads = readHeads({ references, namePrefix, keepsNames: true }, source);
    }
    this.#heads = heads;
    this.#ends = accumulateEnds(heads.table);
    this.#referenceId = commonReference(heads.table);
  }

  get stored(): StoredSlice {
    return this.#options.source.slice;
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#options.source.slice.heldBytes;
  }

  /**
   * Yields, in order, the numbers of the pages that may have records that overlap an interval. A page is `PAGE_RECORDS` records; the
   * last one may have fewer.
   */
  *pagesNear(intervals: IntervalsById): Generator<number, void> {
    let next = 0;
    for (const [first, end] of this.#near(intervals)) {
      next = Math.max(next, Math.floor(first / PAGE_RECORDS));
      for (; next * PAGE_RECORDS < end; next++) yield next;
    }
  }

  /** Adds the records of a page to a sink. Throws `FormatError`. */
  decodePage(page: number, sink: RecordSink): void {
    const { source, references, readGroups, wanted, reference } = this.#options;
    const { table, names } = this.#heads;
    source.slice.budget.renew();
    const options = { references, readGroups, intervals: undefined, wanted, reference, sink };
    const decoder = new SliceDecoder(options, { source, table, isSecondPass: true, names, firstRecord: 0 });
    const first = page * PAGE_RECORDS;
    const end = Math.min(first + PAGE_RECORDS, table.recordCount);
    this.#places.restore(page);
    decoder.moveTo(first);
    for (let record = first; record < end; record++) decoder.decode(record);
    sink.complete(table);
  }

  /** Yields ranges of the records, in order: among them are all that overlap an interval. */
  *#near(intervals: IntervalsById): Generator<RecordRange, void> {
    const { recordCount, starts } = this.#heads.table;
    if (this.#referenceId === undefined || this.#referenceId < 0) {
      yield [0, recordCount];
      return;
    }
    const ends = this.#ends;
    const selected = intervals.get(this.#referenceId);
    let interval = selected?.firstEndingAfter(starts[0] ?? 0);
    for (let from = 0; interval !== undefined && from < recordCount; ) {
      const { start, end } = interval;
      const first = firstIndex(recordCount, (record) => (ends[record] ?? 0) > start, from);
      from = firstIndex(recordCount, (record) => (starts[record] ?? 0) >= end, first);
      if (first < from) yield [first, from];
      interval = selected?.firstEndingAfter(Math.max(end, starts[from] ?? end));
    }
  }
}

/** Returns the greatest end of each record and those before it, 0-based. */
function accumulateEnds({ recordCount, lasts }: RecordTable): Int32Array {
  const ends = new Int32Array(recordCount);
  let end = 0;
  for (let record = 0; record < recordCount; record++) {
    end = Math.max(end, lasts[record] ?? 0);
    ends[record] = end;
  }
  return ends;
}

/** Returns the reference of all records; undefined if they have several, or are not sorted by their starts. */
function commonReference({ recordCount, referenceIds, starts }: RecordTable): number | undefined {
  const [referenceId] = referenceIds;
  for (let record = 1; record < recordCount; record++) {
    if (referenceIds[record] !== referenceId || (starts[record] ?? 0) < (starts[record - 1] ?? 0)) return undefined;
  }
  return referenceId;
}
