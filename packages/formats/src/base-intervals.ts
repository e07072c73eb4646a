/** Bases [start, end) of one reference, 0-based. */
export interface BaseInterval {
  readonly start: number;
  readonly end: number;
  /**
   * A filter drops every record of the reference that starts before this base, even if the record overlaps an interval.
   * Default: no such bound.
   */
  readonly recordsFrom?: number | undefined;
}

/** The intervals of one reference, searched in logarithmic time. */
export class BaseIntervals {
  /** Sorted, and disjoint: intervals that overlap or touch are merged. */
  readonly #intervals: BaseInterval[] = [];
  readonly #recordsFrom: number;

  constructor(intervals: readonly BaseInterval[]) {
    this.#recordsFrom = intervals.reduce((base, { recordsFrom }) => Math.max(base, recordsFrom ?? base), -Infinity);
    const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
    for (const { start, end } of sorted) this.#add({ start, end });
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
    return intervals[first];
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
