/** Bases [start, end) of one reference, 0-based; `referenceId` is its rank in the header. */
export interface BamInterval {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** A set of bases, asked for overlaps in logarithmic time. */
export class BamIntervals {
  readonly #byReference = new Map<number, BamInterval[]>();

  constructor(intervals: readonly BamInterval[]) {
    const sorted = intervals.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
    for (const interval of sorted) this.#add(interval);
  }

  /** Whether any base of [baseStart, baseEnd) is in the set. */
  overlap(referenceId: number, baseStart: number, baseEnd: number): boolean {
    const intervals = this.#byReference.get(referenceId);
    if (intervals === undefined) return false;
    // The first interval that ends behind the start: all before it end too early, all behind it begin later.
    let low = 0;
    let high = intervals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((intervals[middle]?.end ?? 0) > baseStart) high = middle;
      else low = middle + 1;
    }
    const first = intervals[low];
    return first !== undefined && first.start < baseEnd;
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
