/** Bases [start, end) of one reference, 0-based. */
export interface BaseInterval {
  readonly start: number;
  readonly end: number;
  /** Records on its reference that begin in front of this base are not kept, whatever they overlap. Default: all may be. */
  readonly recordsFrom?: number | undefined;
}

/** A set of bases of one reference, searched in logarithmic time. */
export class BaseIntervals {
  /** Apart from each other, in order. */
  readonly #intervals: BaseInterval[] = [];
  readonly #recordsFrom: number;

  constructor(intervals: readonly BaseInterval[]) {
    this.#recordsFrom = intervals.reduce((base, { recordsFrom }) => Math.max(base, recordsFrom ?? base), -Infinity);
    const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
    for (const { start, end } of sorted) this.#add({ start, end });
  }

  /** The first interval that ends behind `base`, where a record begins; undefined if that record is not to be kept. */
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

  /** Intervals come by their start, so one that touches the last is merged into it: ends are sorted then, too. */
  #add(interval: BaseInterval): void {
    const last = this.#intervals.at(-1);
    if (last === undefined || last.end < interval.start) this.#intervals.push(interval);
    else if (last.end < interval.end) this.#intervals[this.#intervals.length - 1] = { ...last, end: interval.end };
  }
}

/** The intervals of each reference, by what names it. */
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
