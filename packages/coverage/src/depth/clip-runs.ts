import { type DepthRuns, RunList } from './depth-runs.js';

/** A region of a file. */
export interface DepthRegion {
  readonly referenceName: string;
  /** 0-based. Default: the start of the reference. */
  readonly start?: number;
  /** Half-open. Default: the end of the reference. */
  readonly end?: number;
}

/** Bases [start, end) of a reference that is known. */
export interface DepthInterval extends Required<DepthRegion> {
  readonly referenceId: number;
}

/** A reference of a file. Without a length, it has no bases. */
export interface DepthReference {
  readonly name: string;
  readonly length?: number | undefined;
}

/**
 * Returns the bases of regions, or of all references, in the order of the file: intervals that are disjoint, not adjacent and not empty,
 * and end with their reference. Throws RangeError for an unknown reference, unless those are skipped.
 */
export function depthIntervals(
  references: readonly DepthReference[],
  regions: readonly DepthRegion[] | undefined,
  { skipUnknown = false }: { readonly skipUnknown?: boolean } = {},
): DepthInterval[] {
  const ids = new Map(references.map(({ name }, referenceId) => [name, referenceId]));
  const all: readonly DepthRegion[] = regions ?? references.map(({ name }) => ({ referenceName: name }));
  const intervals = all.flatMap(({ referenceName, start = 0, end = Infinity }) => {
    const referenceId = ids.get(referenceName);
    if (referenceId !== undefined) {
      const length = references[referenceId]?.length ?? 0;
      return [{ referenceId, referenceName, start: Math.max(0, start), end: Math.min(end, length) }];
    }
    if (skipUnknown) return [];
    throw new RangeError(`unknown reference ${JSON.stringify(referenceName)}`);
  });
  return mergeIntervals(intervals);
}

/** Cuts runs to intervals, in the order of the file. */
export class RunClipper {
  /** The intervals of each reference, in ascending order and disjoint. */
  readonly #intervals = new Map<number, DepthInterval[]>();
  readonly #clipped = new RunList();
  #referenceId = -1;
  /** The first interval of the reference that does not end before the last run. */
  #next = 0;

  constructor(intervals: readonly DepthInterval[]) {
    for (const interval of intervals) {
      const others = this.#intervals.get(interval.referenceId);
      if (others === undefined) this.#intervals.set(interval.referenceId, [interval]);
      else others.push(interval);
    }
  }

  /** Returns the parts of runs that are in an interval. Runs that are cut apart stay apart. */
  clip(runs: DepthRuns): DepthRuns {
    const { referenceId, length, start, end, depth } = runs;
    const intervals = this.#intervals.get(referenceId) ?? [];
    if (referenceId !== this.#referenceId) this.#next = 0;
    this.#referenceId = referenceId;
    const { start: first = Infinity, end: last = 0 } = intervals[this.#next] ?? {};
    if (first <= (start[0] ?? 0) && (end[length - 1] ?? 0) <= last) return runs;
    for (let i = 0; i < length; i++) {
      const [runStart, runEnd] = [start[i] ?? 0, end[i] ?? 0];
      while ((intervals[this.#next]?.end ?? Infinity) <= runStart) this.#next++;
      for (let at = this.#next; at < intervals.length; at++) {
        const { start: from = Infinity, end: to = 0 } = intervals[at] ?? {};
        if (from >= runEnd) break;
        this.#clipped.push(Math.max(from, runStart), Math.min(to, runEnd), depth[i] ?? 0);
      }
    }
    return this.#clipped.take(referenceId);
  }
}

function mergeIntervals(intervals: readonly DepthInterval[]): DepthInterval[] {
  const merged: (DepthInterval & { end: number })[] = [];
  for (const interval of intervals.toSorted((a, b) => a.referenceId - b.referenceId || a.start - b.start)) {
    const last = merged.at(-1);
    if (!(interval.start < interval.end)) continue;
    if (last?.referenceId === interval.referenceId && interval.start <= last.end)
      last.end = Math.max(last.end, interval.end);
    else merged.push({ ...interval });
  }
  return merged;
}
