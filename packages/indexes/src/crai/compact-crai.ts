import { firstIndex } from '@htskit/io/internal';
import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { type CraiColumns, parseCraiColumns, sortCraiColumns } from './crai-columns.js';
import { levelLengths, maximumLevels } from './maximum-tree.js';
import { groupSlices, type SliceGroupColumns } from './slice-groups.js';

/** The columns of a CRAI index, and what is derived from them. */
export interface CompactCrai extends SliceGroupColumns {
  /** One entry per slice, sorted by reference and start. Unplaced slices are last. */
  readonly starts: Float64Array;
  readonly spans: Float64Array;
  readonly sliceOffsets: Uint32Array;
  readonly sliceSizes: Uint32Array;
  /** The index of each slice's container in `containerStarts`. */
  readonly containers: Uint32Array;
  /** The offsets of the containers, in ascending order. */
  readonly containerStarts: Float64Array;
  /** The levels of the tree of the ends of slices: see `MaximumTree`. */
  readonly endLevels: readonly Float64Array[];
}

/**
 * Default of `maxBytes`. The index of a human genome has 5 MB of text, and an open index takes several times the memory of
 * its text.
 */
const DEFAULT_MAX_BYTES = 2 ** 26;

/**
 * Parses a CRAI index as `parseCrai` does, and returns the memory of the `CraiIndex`: parsing can be done on another thread,
 * since `new CraiIndex(bytes)` takes constant time. Throws the errors of `parseCrai`.
 */
export function compactCrai(
  bytes: Uint8Array,
  { maxBytes = DEFAULT_MAX_BYTES, memory }: ParseIndexOptions = {},
): Uint8Array<ArrayBuffer> {
  const text = decompressIndex(bytes, { maxBytes, memory });
  memory?.reserve(OPEN_EXPANSION * text.length);
  return pack(derive(sortCraiColumns(parseCraiColumns(text))));
}

/** How many times the memory of its text an open index takes at most. */
const OPEN_EXPANSION = 5;

function derive({ referenceIds, starts, spans, containerStarts, sliceOffsets, sliceSizes }: CraiColumns): CompactCrai {
  const uniqueStarts = sortedUnique(containerStarts);
  return {
    starts,
    spans,
    sliceOffsets,
    sliceSizes,
    containers: indexesOf(containerStarts, uniqueStarts),
    containerStarts: uniqueStarts,
    endLevels: maximumLevels(baseEnds(starts, spans)),
    ...groupSlices(referenceIds),
  };
}

/** Numbers before the arrays: the lengths of `starts`, `containerStarts` and `groupIds`. */
const LENGTHS = 3;

/** Packs the arrays after their lengths, those of 8 bytes per entry first. */
function pack(crai: CompactCrai): Uint8Array<ArrayBuffer> {
  const lengths = Float64Array.of(crai.starts.length, crai.containerStarts.length, crai.groupIds.length);
  const { starts, spans, containerStarts, endLevels } = crai;
  const { sliceOffsets, sliceSizes, containers, groupIds, groupFirsts } = crai;
  const arrays = [lengths, starts, spans, containerStarts, ...endLevels];
  const words = [sliceOffsets, sliceSizes, containers, groupIds, groupFirsts];
  const bytes = new Uint8Array([...arrays, ...words].reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of [...arrays, ...words]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Returns views of what `compactCrai` packed. */
export function openCompactCrai({ buffer, byteOffset }: Uint8Array): CompactCrai {
  const [slices = 0, containers = 0, groups = 0] = new Float64Array(buffer, byteOffset, LENGTHS);
  let at = byteOffset + LENGTHS * Float64Array.BYTES_PER_ELEMENT;
  const skip = (byteLength: number): number => {
    at += byteLength;
    return at - byteLength;
  };
  const takeDoubles = (length: number): Float64Array => new Float64Array(buffer, skip(8 * length), length);
  const takeWords = (length: number): Uint32Array => new Uint32Array(buffer, skip(4 * length), length);
  return {
    starts: takeDoubles(slices),
    spans: takeDoubles(slices),
    containerStarts: takeDoubles(containers),
    endLevels: levelLengths(slices).map((length) => takeDoubles(length)),
    sliceOffsets: takeWords(slices),
    sliceSizes: takeWords(slices),
    containers: takeWords(slices),
    groupIds: new Int32Array(buffer, skip(4 * groups), groups),
    groupFirsts: takeWords(groups + 1),
  };
}

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

export function isSorted(numbers: ArrayLike<number>): boolean {
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

/** Returns the index of a value in ascending values, or of the first value above it. */
export function findIndex(ascending: Float64Array, value: number): number {
  return firstIndex(ascending.length, (index) => (ascending[index] ?? 0) >= value);
}
