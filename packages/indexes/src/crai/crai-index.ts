import type { RegionQuery } from '../binning/binning-index.js';
import type { ParseIndexOptions } from '../read-index.js';
import { compactCrai, findIndex, isSorted, openCompactCrai } from './compact-crai.js';
import type { CraiSlice } from './crai-columns.js';
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
  readonly maxGap?: number;
}

const UNPLACED = -1;
/** The id of a slice of several references that the index does not name. It may overlap any region. */
const UNKNOWN_REFERENCES = -2;
const MAX_LINES = 2 ** 16 - 1;

/** The index of a coordinate-sorted CRAM file: the positions of its slices on the references and in the file. */
export class CraiIndex {
  /** The memory of the columns. */
  readonly #bytes: Uint8Array;
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
  #lineCounts: Uint16Array | undefined;

  /** Takes the bytes that `compactCrai` returns, and keeps them. */
  constructor(bytes: Uint8Array) {
    const table = openCompactCrai(bytes);
    this.#bytes = bytes;
    this.#starts = table.starts;
    this.#spans = table.spans;
    this.#sliceOffsets = table.sliceOffsets;
    this.#sliceSizes = table.sliceSizes;
    this.#containerStarts = table.containerStarts;
    this.#containers = table.containers;
    this.#ends = new MaximumTree(table.endLevels);
    this.#groups = new SliceGroups(table);
  }

  /** The references that have slices, in ascending order. Includes −1 if there are unplaced records. */
  get referenceIds(): readonly number[] {
    return Array.from(this.#groups.referenceIds).filter((id) => id !== UNKNOWN_REFERENCES);
  }

  /** Number of lines: one per slice, or one per reference of a slice of several references. */
  get sliceCount(): number {
    return this.#starts.length;
  }

  /** Number of containers in the index. */
  get containerCount(): number {
    return this.#containerStarts.length;
  }

  /** Memory in bytes, that of the lists by container and of the lines of each slice included. */
  get byteLength(): number {
    const lists = Uint32Array.BYTES_PER_ELEMENT * (this.sliceCount + this.containerCount);
    return this.#bytes.length + lists + Uint16Array.BYTES_PER_ELEMENT * this.sliceCount;
  }

  /** Offset of the last container in the index, or undefined if the index is empty. */
  get lastContainerStart(): number | undefined {
    return this.#containerStarts.at(-1);
  }

  /**
   * Returns the end of a part of the file that begins at `start` and has at most `byteLength` bytes: the last container start
   * that is not after that limit. If there is none after `start`, the part is longer and ends at the next container.
   * Undefined if none follows.
   */
  splitAt(start: number, byteLength: number): number | undefined {
    const next = findIndex(this.#containerStarts, start + 1);
    return this.#containerStarts[Math.max(next, findIndex(this.#containerStarts, start + byteLength + 1) - 1)];
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

  /**
   * Returns about how many bytes of the file the records of a reference take between consecutive edges, which ascend: those of each slice,
   * distributed evenly over its bases. A slice of several references has the same share of each. The first and the last edge may be
   * infinite.
   */
  bytesBetween(referenceId: number, edges: Float64Array): Float64Array {
    const sums = new Float64Array(edges.length - 1);
    const group = this.#groups.get(referenceId);
    if (group === undefined || referenceId < 0) return sums;
    const lineCounts = this.#countLines();
    let first = 0;
    for (let slice = group.first; slice < group.end; slice++) {
      const start = (this.#starts[slice] ?? 1) - 1;
      const end = start + Math.max(1, this.#spans[slice] ?? 0);
      const bytesPerBase = (this.#sliceSizes[slice] ?? 0) / (lineCounts[slice] ?? 1) / (end - start);
      while ((edges[first + 1] ?? Infinity) <= start) first++;
      for (let i = first; i < sums.length && (edges[i] ?? 0) < end; i++) {
        const bases = Math.min(end, edges[i + 1] ?? 0) - Math.max(start, edges[i] ?? 0);
        sums[i] = (sums[i] ?? 0) + bytesPerBase * bases;
      }
    }
    return sums;
  }

  /** Counts for each line those of the same slice, up to 65,535. */
  #countLines(): Uint16Array {
    if (this.#lineCounts !== undefined) return this.#lineCounts;
    this.#byContainer ??= new SlicesByContainer(this.#containers, this.containerCount);
    const lineCounts = new Uint16Array(this.sliceCount);
    for (let container = 0; container < this.containerCount; container++) {
      const lines = this.#byContainer.slicesOf(container);
      const counts = new Map<number, number>();
      for (const line of lines) {
        const offset = this.#sliceOffsets[line] ?? 0;
        counts.set(offset, (counts.get(offset) ?? 0) + 1);
      }
      for (const line of lines) {
        lineCounts[line] = Math.min(MAX_LINES, counts.get(this.#sliceOffsets[line] ?? 0) ?? 1);
      }
    }
    this.#lineCounts = lineCounts;
    return lineCounts;
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
 * Parses a CRAI index (CRAM 3.1 §12): lines of six numbers separated by tabs, gzipped or plain. Throws `IndexError`
 * INVALID_DATA for other text, INVALID_DATA or TRUNCATED for corrupt gzip, and LIMIT_EXCEEDED for a text longer than
 * `maxBytes`, by default 64 MiB. The index takes at most five times the memory of its text.
 *
 * @example
 * const index = parseCrai(readFileSync('reads.cram.crai'));
 * const ranges = index.containers({ referenceId: 0, start: 10_000, end: 20_000 });
 */
export function parseCrai(bytes: Uint8Array, options: ParseIndexOptions = {}): CraiIndex {
  return new CraiIndex(compactCrai(bytes, options));
}

const EVERYWHERE = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

function isList<Query extends object>(queries: Query | readonly Query[]): queries is readonly Query[] {
  return Array.isArray(queries);
}
