/** Bases [start, end) of one reference, 0-based; `referenceId` is its rank in the header. */
export interface BamInterval {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** A set of bases, searched in logarithmic time. */
export class BamIntervals {
  /** By reference: apart from each other, in order. */
  readonly #byReference = new Map<number, BamInterval[]>();

  constructor(intervals: readonly BamInterval[]) {
    const sorted = intervals
      .filter(({ referenceId, start, end }) => referenceId >= 0 && start < end)
      .sort((a, b) => a.start - b.start);
    for (const interval of sorted) this.#add(interval);
  }

  /** The first interval that ends behind `base`. */
  firstEndingBehind(referenceId: number, base: number): BamInterval | undefined {
    const intervals = this.#byReference.get(referenceId);
    if (intervals === undefined) return undefined;
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
  #add(interval: BamInterval): void {
    const intervals = this.#byReference.get(interval.referenceId);
    const last = intervals?.at(-1);
    if (intervals === undefined) this.#byReference.set(interval.referenceId, [interval]);
    else if (last === undefined || last.end < interval.start) intervals.push(interval);
    else if (last.end < interval.end) intervals[intervals.length - 1] = { ...last, end: interval.end };
  }
}
