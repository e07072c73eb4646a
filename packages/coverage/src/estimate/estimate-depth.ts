/** The part of an index that an estimate needs: a `BinningIndex` or a `CraiIndex` of `@htskit/indexes`. */
export interface EstimatedIndex {
  /** Returns about how many bytes of the compressed file the records of a reference take between consecutive edges, which ascend. */
  bytesBetween(referenceId: number, edges: Float64Array): Float64Array;
  /** Returns the numbers of records of a reference, or undefined if the index does not store them. */
  referenceStatistics?(referenceId: number): { readonly mapped: number } | undefined;
}

/** The region that is estimated. */
export interface EstimateRegion {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  /** The number of bins of equal length. */
  readonly bins: number;
  /** Bases of a reference that a record covers on average, for the depth. */
  readonly recordLength?: number;
}

/** The depth of a region as far as an index allows to estimate it. */
export interface DepthEstimate {
  readonly estimated: true;
  readonly start: number;
  readonly end: number;
  /** By bin, bytes of the compressed file. */
  readonly bytes: Float32Array<ArrayBuffer>;
  /** By bin, the number of mapped records; undefined if the index does not store that of the reference. */
  readonly records?: Float32Array<ArrayBuffer>;
  /** By bin, the mean depth; undefined without `records` or a `recordLength`. */
  readonly mean?: Float32Array<ArrayBuffer>;
}

/**
 * Estimates the depth of a region from the index of a file alone: from the compressed bytes of bins (BAI, CSI, TBI) or slices (CRAI),
 * which are assumed to be in proportion to the records. Reads nothing. Throws RangeError unless `bins` is an integer from 1 to 2^24.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { estimateDepth } from '@htskit/coverage';
 * import { parseBinningIndex } from '@htskit/indexes';
 *
 * const index = parseBinningIndex(readFileSync('reads.bam.bai'));
 * const { records } = estimateDepth(index, { referenceId: 0, start: 0, end: 150_000, bins: 100 });
 * ```
 */
export function estimateDepth(index: EstimatedIndex, region: EstimateRegion): DepthEstimate {
  const { referenceId, start, end, bins, recordLength } = region;
  if (!(Number.isInteger(bins) && bins >= 1 && bins <= MAX_BINS)) {
    throw new RangeError(`bins must be an integer from 1 to ${MAX_BINS}, found ${bins}`);
  }
  const binBases = (end - start) / bins;
  // Before the region, by bin, and after it: the records of the reference are those of all of its bytes.
  const edges = new Float64Array(bins + 3);
  for (let bin = 0; bin <= bins; bin++) edges[bin + 1] = start + bin * binBases;
  edges[0] = -Infinity;
  edges[bins + 2] = Infinity;
  const sums = index.bytesBetween(referenceId, edges);
  const binSums = sums.subarray(1, -1);
  const mapped = index.referenceStatistics?.(referenceId)?.mapped;
  const estimate = { estimated: true, start, end, bytes: scaled(binSums, 1) } as const;
  if (mapped === undefined) return estimate;
  let total = 0;
  for (const bytes of sums) total += bytes;
  const recordsPerByte = total > 0 ? mapped / total : 0;
  const records = scaled(binSums, recordsPerByte);
  if (recordLength === undefined) return { ...estimate, records };
  return { ...estimate, records, mean: scaled(binSums, (recordsPerByte * recordLength) / binBases) };
}

const MAX_BINS = 2 ** 24;

/** Multiplies values. */
function scaled(values: Float64Array, factor: number): Float32Array<ArrayBuffer> {
  const products = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) products[i] = (values[i] ?? 0) * factor;
  return products;
}
