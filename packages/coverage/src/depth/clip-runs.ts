import { type DepthRuns, RunList } from './depth-runs.js';

/** Bases [start, end) of a reference. */
export interface Interval {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** Cuts runs to intervals, in the order of the file. */
export class RunClipper {
  /** The intervals of each reference, in ascending order and disjoint. */
  readonly #intervals = new Map<number, Interval[]>();
  readonly #clipped = new RunList();
  #referenceId = -1;
  /** The first interval of the reference that does not end before the last run. */
  #next = 0;

  /** The intervals may be in any order and overlap. */
  constructor(intervals: readonly Interval[]) {
    for (const interval of mergeIntervals(intervals)) {
      const others = this.#intervals.get(interval.referenceId);
      if (others === undefined) this.#intervals.set(interval.referenceId, [interval]);
      else others.push(interval);
    }
  }

  /** Returns the parts of runs that are in an interval. Runs that are cut apart stay apart. */
  clip({ referenceId, length, start, end, depth }: DepthRuns): DepthRuns {
    const intervals = this.#intervals.get(referenceId) ?? [];
    if (referenceId !== this.#referenceId) this.#next = 0;
    this.#referenceId = referenceId;
    for (let i = 0; i < length; i++) {
      const [runStart, runEnd] = [start[i] ?? 0, end[i] ?? 0];
      while ((intervals[this.#next]?.end ?? Infinity) <= runStart) this.#next++;
      for (let at = this.#next; at < intervals.length; at++) {
        const { start: from, end: to } = intervals[at] ?? NO_INTERVAL;
        if (from >= runEnd) break;
        this.#clipped.push(Math.max(from, runStart), Math.min(to, runEnd), depth[i] ?? 0);
      }
    }
    return this.#clipped.take(referenceId);
  }
}

const NO_INTERVAL: Interval = { referenceId: -1, start: Infinity, end: Infinity };

/** Returns the same bases as intervals that are in order, disjoint, not adjacent and not empty. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: { referenceId: number; start: number; end: number }[] = [];
  const sorted = intervals.toSorted((a, b) => a.referenceId - b.referenceId || a.start - b.start);
  for (const { referenceId, start, end } of sorted) {
    if (!(start < end)) continue;
    const last = merged.at(-1);
    if (last?.referenceId === referenceId && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ referenceId, start, end });
  }
  return merged;
}
