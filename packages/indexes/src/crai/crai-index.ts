import type { RegionQuery } from '../binning/binning-index.js';
import { type CraiRows, ROW_LENGTH } from './crai-rows.js';
import type { CraiSlice } from './crai-slice.js';
import { MaximumTree } from './maximum-tree.js';

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
  readonly #groups: ReadonlyMap<number, SliceGroup>;

  constructor(unsortedRows: CraiRows) {
    const rows = sortRows(unsortedRows);
    this.#starts = column(rows, 1);
    this.#spans = column(rows, 2);
    this.#sliceOffsets = new Uint32Array(column(rows, 4));
    this.#sliceSizes = new Uint32Array(column(rows, 5));
    const offsets = column(rows, 3);
    this.#containerStarts = sortedUnique(offsets);
    this.#containerRanks = ranksOf(offsets, this.#containerStarts);
    this.#ends = new MaximumTree(baseEnds(this.#starts, this.#spans));
    this.#groups = groupByReference(column(rows, 0));
    this.referenceIds = [...this.#groups.keys()].filter((id) => id !== UNKNOWN_REFERENCES);
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
    for (const [referenceId, { first, end }] of this.#groups) {
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

/** Ranks of the slices of one reference. */
interface SliceGroup {
  readonly first: number;
  readonly end: number;
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

function column(rows: CraiRows, index: number): Float64Array {
  const values = new Float64Array(rows.length / ROW_LENGTH);
  for (let row = 0; row < values.length; row++) values[row] = rows[row * ROW_LENGTH + index] ?? 0;
  return values;
}

/** The rows by reference, those with a negative id last, and by start. */
function sortRows(rows: CraiRows): CraiRows {
  const count = rows.length / ROW_LENGTH;
  let sorted = 1;
  while (sorted < count && compareRows(rows, sorted - 1, sorted) <= 0) sorted++;
  if (sorted >= count) return rows;
  const order = Array.from({ length: count }, (_, row) => row).sort((a, b) => compareRows(rows, a, b));
  const sortedRows = new Float64Array(rows.length);
  for (const [rank, row] of order.entries()) {
    sortedRows.set(rows.subarray(row * ROW_LENGTH, (row + 1) * ROW_LENGTH), rank * ROW_LENGTH);
  }
  return sortedRows;
}

function compareRows(rows: CraiRows, a: number, b: number): number {
  const referenceA = (rows[a * ROW_LENGTH] ?? 0) >>> 0;
  const referenceB = (rows[b * ROW_LENGTH] ?? 0) >>> 0;
  if (referenceA !== referenceB) return referenceA - referenceB;
  return (rows[a * ROW_LENGTH + 1] ?? 0) - (rows[b * ROW_LENGTH + 1] ?? 0);
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

function groupByReference(referenceIds: Float64Array): Map<number, SliceGroup> {
  const groups = new Map<number, SliceGroup>();
  for (let first = 0; first < referenceIds.length; ) {
    const referenceId = referenceIds[first] ?? 0;
    let end = first + 1;
    while (referenceIds[end] === referenceId) end++;
    groups.set(referenceId, { first, end });
    first = end;
  }
  return groups;
}
