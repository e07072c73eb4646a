import { type BorrowedBytes, peek } from '@htskit/io';
import { type RecordLayout, RecordSplitter } from './record-splitter.js';

/** Keeps some of the records of uncompressed data that arrives in pieces cut anywhere. */
export interface RecordFilter {
  /** Bytes of the record that is incomplete at the end of the pieces so far. */
  readonly pendingBytes: number;
  /**
   * Whether a record was found that starts after the last interval, if all intervals are of one reference. If the records are sorted
   * by position, no later one is kept.
   */
  readonly isPast: boolean;
  /**
   * Returns the kept records among those that end in `piece`, in order, as runs of bytes. Records that lie within `piece` are
   * returned as views of it, borrowed if it is. Throws `FormatError` `INVALID_DATA` or `LIMIT_EXCEEDED` for a malformed record; its
   * offset counts from the start of the first piece. If records before it are kept, they are returned, and the next call throws.
   */
  push(piece: Uint8Array): Uint8Array[];
  push(piece: BorrowedBytes): BorrowedBytes[];
  /**
   * Ends the data, and returns the last record if the end of the data completes it and it is kept. Throws `FormatError`
   * `TRUNCATED` if a record is incomplete, and what `push` throws.
   */
  finish(): Uint8Array[];
}

/** The records of one format, and which of them to keep. */
export interface FilterRules<View> extends RecordLayout<View> {
  /** Returns whether to keep the record [at, end). Throws `FormatError` if it is malformed. */
  readonly keeps: (view: View, at: number, end: number) => boolean;
  /** Returns the value of `RecordFilter.isPast`. Default: always false. */
  readonly isPast?: () => boolean;
}

/** Creates a filter from the rules of one format. */
export function createRecordFilter<View>(rules: FilterRules<View>): RecordFilter {
  const records = new RecordSplitter(rules);
  let failure: { readonly error: unknown } | undefined;
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    get pendingBytes() {
      return records.pendingBytes;
    },
    get isPast() {
      return rules.isPast?.() ?? false;
    },
    push(piece: BorrowedBytes) {
      throwFailure();
      const kept: Uint8Array[] = [];
      try {
        records.push(peek(piece), (bytes, view) => keepRuns(bytes, view, rules, kept));
      } catch (error) {
        failure = { error };
        if (kept.length === 0) throw error;
      }
      return kept;
    },
    finish() {
      throwFailure();
      const kept: Uint8Array[] = [];
      records.finish((record, view) => {
        if (rules.keeps(view, 0, record.length)) kept.push(record);
      });
      return kept;
    },
  };
}

/** Adds the runs of kept records in `bytes` to `kept`, and returns the offset just after the last complete record. */
function keepRuns<View>(bytes: Uint8Array, view: View, rules: FilterRules<View>, kept: Uint8Array[]): number {
  // Calls of local functions take 0.9 of the time of calls through `rules`.
  const { recordEnd, keeps } = rules;
  let runStart = 0;
  let at = 0;
  try {
    let end = recordEnd(view, at);
    while (end !== undefined) {
      if (!keeps(view, at, end)) {
        if (runStart < at) kept.push(bytes.subarray(runStart, at));
        runStart = end;
      }
      at = end;
      end = recordEnd(view, at);
    }
    return at;
  } finally {
    // Also before a malformed record.
    if (runStart < at) kept.push(bytes.subarray(runStart, at));
  }
}

/** Bases [start, end) of one reference, 0-based. */
export interface BaseInterval {
  readonly start: number;
  readonly end: number;
  /**
   * A filter drops every record of the reference that starts before this base, even if the record overlaps an interval.
   * Default: no such bound.
   */
  readonly recordsFrom?: number;
}

/** The intervals of one reference, searched in logarithmic time. */
export class BaseIntervals {
  /** Sorted, and disjoint: intervals that overlap or touch are merged. */
  readonly #intervals: BaseInterval[] = [];
  readonly #recordsFrom: number;
  #isPast = false;

  constructor(intervals: readonly BaseInterval[]) {
    this.#recordsFrom = intervals.reduce((base, { recordsFrom }) => Math.max(base, recordsFrom ?? base), -Infinity);
    const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
    for (const { start, end } of sorted) this.#add({ start, end });
  }

  /** Whether `firstEndingAfter` was called for a base after all intervals. */
  get isPast(): boolean {
    return this.#isPast;
  }

  /** Returns the first interval that ends after `base`; undefined if there is none or if `base` is before `recordsFrom`. */
  firstEndingAfter(base: number): BaseInterval | undefined {
    if (base < this.#recordsFrom) return undefined;
    const intervals = this.#intervals;
    let first = 0;
    let end = intervals.length;
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((intervals[middle]?.end ?? 0) > base) end = middle;
      else first = middle + 1;
    }
    if (first === intervals.length) this.#isPast = true;
    return intervals[first];
  }

  /** Returns whether an interval overlaps the bases [start, end). */
  overlaps(start: number, end: number): boolean {
    return this.#intervals.some((interval) => interval.start < end && start < interval.end);
  }

  /** Adds an interval that starts no earlier than the last one. Merging those that touch keeps the ends sorted, too. */
  #add(interval: BaseInterval): void {
    const last = this.#intervals.at(-1);
    if (last === undefined || last.end < interval.start) this.#intervals.push(interval);
    else if (last.end < interval.end) this.#intervals[this.#intervals.length - 1] = { ...last, end: interval.end };
  }
}

/** Groups intervals by the key of their reference, which is an id or a name. */
export function groupIntervals<Interval extends BaseInterval, Reference>(
  intervals: readonly Interval[],
  referenceOf: (interval: Interval) => Reference,
): ReadonlyMap<Reference, BaseIntervals> {
  const groups = new Map<Reference, Interval[]>();
  for (const interval of intervals) {
    const reference = referenceOf(interval);
    const group = groups.get(reference);
    if (group === undefined) groups.set(reference, [interval]);
    else group.push(interval);
  }
  return new Map(Array.from(groups, ([reference, group]) => [reference, new BaseIntervals(group)]));
}

/** The intervals of each reference, by its index in the header. */
export type IntervalsById = ReadonlyMap<number, BaseIntervals>;

/** Returns whether a record was found after the intervals of the only reference. The references may be in any order. */
export function isPastAll(groups: ReadonlyMap<unknown, BaseIntervals>): boolean {
  const [only] = groups.values();
  return groups.size === 1 && only?.isPast === true;
}
