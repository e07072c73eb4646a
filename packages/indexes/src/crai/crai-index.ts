import type { RegionQuery } from '../binning/binning-index.js';
import { type CraiColumns, sortCraiColumns } from './crai-columns.js';
import type { CraiSlice } from './crai-slice.js';
import { MaximumTree } from './maximum-tree.js';
import { type SliceGroup, SliceGroups } from './slice-groups.js';

/** The records without reference, all of them. */
export interface UnplacedQuery {
  readonly referenceId: -1;
}

/** Whole containers of a CRAM file, one or several. */
export interface CramContainerRange {
  /** Where the first container begins, in bytes of the file. */
  readonly start: number;
  /** Where the next container begins that the index knows; undefined if there is none. */
  readonly end: number | undefined;
}

export interface CramContainerOptions {
  /** Ranges are joined that are at most so many bytes apart. Default 0. */
  readonly maxGap?: number | undefined;
}

/** Bytes of what is kept of a slice: five columns, and its part of the tree of ends. */
const SLICE_BYTES = 48;
const UNPLACED = -1;
/** A slice of several references that the index does not tell: it belongs to each. */
const UNKNOWN_REFERENCES = -2;

/** An index of a coordinate-sorted CRAM file: where its slices lie, on references and in the file. */
export class CraiIndex {
  /** Each reference that has slices, ascending; with −1 if there are unplaced ones. */
  readonly referenceIds: readonly number[];
  /** Of the slices, by reference and start; unplaced ones are last. */
  readonly #starts: Float64Array;
  readonly #spans: Float64Array;
  readonly #sliceOffsets: Uint32Array;
  readonly #sliceSizes: Uint32Array;
  readonly #containerRanks: Uint32Array;
  readonly #ends: MaximumTree;
  /** Of the containers, ascending. */
  readonly #containerStarts: Float64Array;
  readonly #groups: SliceGroups;

  constructor(unsortedColumns: CraiColumns) {
    const { referenceIds, starts, spans, containerStarts, sliceOffsets, sliceSizes } = sortCraiColumns(unsortedColumns);
    this.#starts = starts;
    this.#spans = spans;
    this.#sliceOffsets = sliceOffsets;
    this.#sliceSizes = sliceSizes;
    this.#containerStarts = sortedUnique(containerStarts);
    this.#containerRanks = ranksOf(containerStarts, this.#containerStarts);
    this.#ends = new MaximumTree(baseEnds(starts, spans));
    this.#groups = new SliceGroups(referenceIds);
    this.referenceIds = Array.from(this.#groups.referenceIds).filter((id) => id !== UNKNOWN_REFERENCES);
  }

  /** How many lines the index has: one for each slice, or for each reference of a slice of several. */
  get sliceCount(): number {
    return this.#starts.length;
  }

  /** How many containers it names. */
  get containerCount(): number {
    return this.#containerStarts.length;
  }

  /** Bytes of memory that the index takes, about. */
  get byteLength(): number {
    return SLICE_BYTES * this.sliceCount + Float64Array.BYTES_PER_ELEMENT * this.containerCount;
  }

  /**
   * Where to end a part of the file that begins at `start` and shall have at most `byteLength` bytes: at the last container
   * that the index knows for that, or else at the first one behind `start`; undefined if there is none.
   */
  splitAt(start: number, byteLength: number): number | undefined {
    const behind = firstAbove(this.#containerStarts, start);
    return this.#containerStarts[Math.max(behind, firstAbove(this.#containerStarts, start + byteLength) - 1)];
  }

  /**
   * The containers that hold every record that overlaps a region, and others too, as ranges of the file: sorted, apart
   * from each other, each container once. An empty region and a reference without slices have none.
   */
  containers(
    queries: RegionQuery | UnplacedQuery | readonly (RegionQuery | UnplacedQuery)[],
    { maxGap = 0 }: CramContainerOptions = {},
  ): CramContainerRange[] {
    const ranks: number[] = [];
    if (isList(queries)) for (const query of queries) this.#findContainers(query, ranks);
    else this.#findContainers(queries, ranks);
    if (!isSorted(ranks)) ranks.sort((a, b) => a - b);
    return this.#toRanges(ranks, maxGap);
  }

  /** The lines of the index, by reference and start; unplaced ones are last. */
  *slices(): Generator<CraiSlice, void> {
    for (const { referenceId, first, end } of this.#groups.all()) {
      for (let slice = first; slice < end; slice++) {
        yield {
          referenceId,
          alignmentStart: this.#starts[slice] ?? 0,
          alignmentSpan: this.#spans[slice] ?? 0,
          containerStart: this.#containerStarts[this.#containerRanks[slice] ?? 0] ?? 0,
          sliceOffset: this.#sliceOffsets[slice] ?? 0,
          sliceSize: this.#sliceSizes[slice] ?? 0,
        };
      }
    }
  }

  #findContainers(query: RegionQuery | UnplacedQuery, ranks: number[]): void {
    const region = 'start' in query && query.referenceId !== UNPLACED ? query : EVERYWHERE;
    if (!(region.start < region.end)) return;
    const group = this.#groups.get(query.referenceId);
    if (group !== undefined) this.#findOverlaps(group, region, ranks);
    const unknown = this.#groups.get(UNKNOWN_REFERENCES);
    if (unknown !== undefined) this.#findOverlaps(unknown, EVERYWHERE, ranks);
  }

  /** Adds the containers of a group's slices that overlap the region, once if they follow each other. */
  #findOverlaps(group: SliceGroup, { start, end }: Omit<RegionQuery, 'referenceId'>, ranks: number[]): void {
    let last = -1;
    for (
      let slice = this.#ends.findLarger(start, group.first);
      slice < group.end && (this.#starts[slice] ?? 0) - 1 < end;
      slice = this.#ends.findLarger(start, slice + 1)
    ) {
      const rank = this.#containerRanks[slice] ?? 0;
      if (rank !== last) ranks.push(rank);
      last = rank;
    }
  }

  #toRanges(ranks: readonly number[], maxGap: number): CramContainerRange[] {
    const starts = this.#containerStarts;
    const ranges: CramContainerRange[] = [];
    let range: { start: number; end: number | undefined } | undefined;
    for (const rank of ranks) {
      const start = starts[rank] ?? 0;
      if (range === undefined || (range.end !== undefined && start - range.end > maxGap)) {
        range = { start, end: starts[rank + 1] };
        ranges.push(range);
      } else range.end = starts[rank + 1];
    }
    return ranges;
  }
}

const EVERYWHERE = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/**
 * Where the slices end, 0-based and half-open. One that covers no base counts as one base long, as records do; one
 * without start and span may lie anywhere.
 */
function baseEnds(starts: Float64Array, spans: Float64Array): Float64Array {
  const ends = new Float64Array(starts.length);
  for (let slice = 0; slice < ends.length; slice++) {
    const start = starts[slice] ?? 0;
    const span = spans[slice] ?? 0;
    ends[slice] = start === 0 && span === 0 ? Number.POSITIVE_INFINITY : start - 1 + Math.max(span, 1);
  }
  return ends;
}

/** The rank of the first of ascending values that is greater than `limit`. */
function firstAbove(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isList<Query extends object>(queries: Query | readonly Query[]): queries is readonly Query[] {
  return Array.isArray(queries);
}

function isSorted(numbers: ArrayLike<number>): boolean {
  for (let at = 1; at < numbers.length; at++) if ((numbers[at - 1] ?? 0) > (numbers[at] ?? 0)) return false;
  return true;
}

function sortedUnique(values: Float64Array): Float64Array {
  const sorted = isSorted(values) ? values : values.toSorted();
  const unique = new Float64Array(sorted.length);
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    const value = sorted[at] ?? 0;
    if (count === 0 || unique[count - 1] !== value) unique[count++] = value;
  }
  return unique.slice(0, count);
}

/** The rank of each value among `unique`, which is ascending and has them all. */
function ranksOf(values: Float64Array, unique: Float64Array): Uint32Array {
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    // That of the last one, or the next: a file is sorted, as a rule
    if (unique[rank] !== value && unique[++rank] !== value) rank = findRank(unique, value);
    ranks[at] = rank;
  }
  return ranks;
}

function findRank(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
