import type { RegionQuery } from '../binning/binning-index.js';
import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { type CraiColumns, type CraiSlice, parseCraiColumns, sortCraiColumns } from './crai-columns.js';
import { MaximumTree } from './maximum-tree.js';
import { type SliceGroup, SliceGroups, SlicesByContainer } from './slice-groups.js';

/** Selects all records without a reference. */
export interface UnplacedQuery {
  readonly referenceId: -1;
}

/** A range of one or several whole containers of a CRAM file. */
export interface CramContainerRange {
  /** Offset of the first container in the file, in bytes. */
  readonly start: number;
  /** Offset of the next container in the index, or undefined after the last one. */
  readonly end: number | undefined;
}

/** Options of `CraiIndex.containers`. */
export interface CramContainerOptions {
  /** Joins ranges that are at most this many bytes apart. Default 0. */
  readonly maxGap?: number | undefined;
}

/** Bytes of memory per slice: five columns, its part of the tree of ends, and its place in the list by container. */
const SLICE_BYTES = 52;
const UNPLACED = -1;
/** The id of a slice of several references that the index does not name. It may overlap any region. */
const UNKNOWN_REFERENCES = -2;

/** The index of a coordinate-sorted CRAM file: the positions of its slices on the references and in the file. */
export class CraiIndex {
  /** The references that have slices, in ascending order. Includes −1 if there are unplaced records. */
  readonly referenceIds: readonly number[];
  /** One entry per slice, sorted by reference and start. Unplaced slices are last. */
  readonly #starts: Float64Array;
  readonly #spans: Float64Array;
  readonly #sliceOffsets: Uint32Array;
  readonly #sliceSizes: Uint32Array;
  readonly #containers: Uint32Array;
  readonly #ends: MaximumTree;
  /** The offsets of the containers, in ascending order. */
  readonly #containerStarts: Float64Array;
  readonly #groups: SliceGroups;
  #byContainer: SlicesByContainer | undefined;

  constructor(unsortedColumns: CraiColumns) {
    const { referenceIds, starts, spans, containerStarts, sliceOffsets, sliceSizes } = sortCraiColumns(unsortedColumns);
    this.#starts = starts;
    this.#spans = spans;
    this.#sliceOffsets = sliceOffsets;
    this.#sliceSizes = sliceSizes;
    this.#containerStarts = sortedUnique(containerStarts);
    this.#containers = indexesOf(containerStarts, this.#containerStarts);
    this.#ends = new MaximumTree(baseEnds(starts, spans));
    this.#groups = new SliceGroups(referenceIds);
    this.referenceIds = Array.from(this.#groups.referenceIds).filter((id) => id !== UNKNOWN_REFERENCES);
  }

  /** Number of lines: one per slice, or one per reference of a slice of several references. */
  get sliceCount(): number {
    return this.#starts.length;
  }

  /** Number of containers in the index. */
  get containerCount(): number {
    return this.#containerStarts.length;
  }

  /** Offset of the last container in the index, or undefined if the index is empty. */
  get lastContainerStart(): number | undefined {
    return this.#containerStarts.at(-1);
  }

  /** Approximate memory in bytes. */
  get byteLength(): number {
    return SLICE_BYTES * this.sliceCount + Float64Array.BYTES_PER_ELEMENT * this.containerCount;
  }

  /**
   * Returns the end of a part of the file that begins at `start` and has at most `byteLength` bytes: the last container start
   * that is not after that limit. If there is none after `start`, the part is longer and ends at the next container.
   * Undefined if none follows.
   */
  splitAt(start: number, byteLength: number): number | undefined {
    const next = firstAbove(this.#containerStarts, start);
    return this.#containerStarts[Math.max(next, firstAbove(this.#containerStarts, start + byteLength) - 1)];
  }

  /**
   * Returns the containers that contain every record overlapping one of the regions, among other records, as sorted, disjoint
   * ranges of the file. An empty region and a reference without slices have none.
   */
  containers(
    queries: RegionQuery | UnplacedQuery | readonly (RegionQuery | UnplacedQuery)[],
    { maxGap = 0 }: CramContainerOptions = {},
  ): CramContainerRange[] {
    const found: number[] = [];
    if (isList(queries)) for (const query of queries) this.#findContainers(query, found);
    else this.#findContainers(queries, found);
    if (!isSorted(found)) found.sort((a, b) => a - b);
    return this.#toRanges(found, maxGap);
  }

  /** Iterates over the lines of the index, sorted by reference and start. Unplaced slices are last. */
  *slices(): Generator<CraiSlice, void> {
    for (const { referenceId, first, end } of this.#groups.all()) {
      for (let slice = first; slice < end; slice++) yield this.#slice(slice, referenceId);
    }
  }

  /** Returns the lines of the slices of the container at an offset of the file. Empty if the index has no such container. */
  slicesIn(containerStart: number): CraiSlice[] {
    const container = findIndex(this.#containerStarts, containerStart);
    if (this.#containerStarts[container] !== containerStart) return [];
    this.#byContainer ??= new SlicesByContainer(this.#containers, this.containerCount);
    return Array.from(this.#byContainer.slicesOf(container), (slice) =>
      this.#slice(slice, this.#groups.referenceOf(slice)),
    );
  }

  #slice(slice: number, referenceId: number): CraiSlice {
    return {
      referenceId,
      alignmentStart: this.#starts[slice] ?? 0,
      alignmentSpan: this.#spans[slice] ?? 0,
      containerStart: this.#containerStarts[this.#containers[slice] ?? 0] ?? 0,
      sliceOffset: this.#sliceOffsets[slice] ?? 0,
      sliceSize: this.#sliceSizes[slice] ?? 0,
    };
  }

  #findContainers(query: RegionQuery | UnplacedQuery, found: number[]): void {
    const region = 'start' in query && query.referenceId !== UNPLACED ? query : EVERYWHERE;
    if (!(region.start < region.end)) return;
    const group = this.#groups.get(query.referenceId);
    if (group !== undefined) this.#findOverlaps(group, region, found);
    const unknown = this.#groups.get(UNKNOWN_REFERENCES);
    if (unknown !== undefined) this.#findOverlaps(unknown, EVERYWHERE, found);
  }

  /** Adds the indexes of the containers of slices that overlap the region. Consecutive duplicates are added once. */
  #findOverlaps(group: SliceGroup, { start, end }: Omit<RegionQuery, 'referenceId'>, found: number[]): void {
    let last = -1;
    for (
      let slice = this.#ends.findLarger(start, group.first);
      slice < group.end && (this.#starts[slice] ?? 0) - 1 < end;
      slice = this.#ends.findLarger(start, slice + 1)
    ) {
      const container = this.#containers[slice] ?? 0;
      if (container !== last) found.push(container);
      last = container;
    }
  }

  #toRanges(containers: readonly number[], maxGap: number): CramContainerRange[] {
    const starts = this.#containerStarts;
    const ranges: CramContainerRange[] = [];
    let range: { start: number; end: number | undefined } | undefined;
    for (const container of containers) {
      const start = starts[container] ?? 0;
      if (range === undefined || (range.end !== undefined && start - range.end > maxGap)) {
        range = { start, end: starts[container + 1] };
        ranges.push(range);
      } else range.end = starts[container + 1];
    }
    return ranges;
  }
}

/**
 * Default of `maxBytes`. The index of a human genome has 5 MB of text, and an open index takes several times the memory of
 * its text.
 */
const DEFAULT_MAX_BYTES = 2 ** 26;

/**
 * Parses a CRAI index (CRAM 3.1 §12): lines of six numbers separated by tabs, gzipped or plain. Throws `IndexError`
 * INVALID_DATA for other text, INVALID_DATA or TRUNCATED for corrupt gzip, and LIMIT_EXCEEDED for a text longer than
 * `maxBytes`, by default 64 MiB. The index takes at most five times the memory of its text.
 *
 * @example
 * const index = parseCrai(readFileSync('reads.cram.crai'));
 * const ranges = index.containers({ referenceId: 0, start: 10_000, end: 20_000 });
 */
export function parseCrai(bytes: Uint8Array, { maxBytes = DEFAULT_MAX_BYTES }: ParseIndexOptions = {}): CraiIndex {
  return new CraiIndex(parseCraiColumns(decompressIndex(bytes, { maxBytes })));
}

const EVERYWHERE = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/**
 * Returns the 0-based, half-open ends of the slices. A slice without bases counts as one base, as records do. A slice without
 * start and span may be anywhere.
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

/** Returns the index of the first of ascending values that is greater than `limit`. */
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

/** Returns the index of each value in `unique`, which is ascending and contains all of them. */
function indexesOf(values: Float64Array, unique: Float64Array): Uint32Array {
  const indexes = new Uint32Array(values.length);
  let index = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    // Files are usually sorted, so it is the last index or the next one.
    if (unique[index] !== value && unique[++index] !== value) index = findIndex(unique, value);
    indexes[at] = index;
  }
  return indexes;
}

function findIndex(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
