/** The part of an index that an estimate needs: a `BinningIndex` or a `CraiIndex` of `@htskit/indexes`. */
export interface EstimatedIndex {
  /** Visits how many bytes of the compressed file the records at bases [start, end) take. Spans may overlap. */
  visitByteSpans(referenceId: number, visit: (start: number, end: number, bytes: number) => void): void;
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
  const { sums, total } = sumBytes(index, region);
  const mapped = index.referenceStatistics?.(referenceId)?.mapped;
  const estimate = { estimated: true, start, end, bytes: scaled(sums, 1) } as const;
  if (mapped === undefined) return estimate;
  const recordsPerByte = total > 0 ? mapped / total : 0;
  const records = scaled(sums, recordsPerByte);
  if (recordLength === undefined) return { ...estimate, records };
  return { ...estimate, records, mean: scaled(records, (recordLength * bins) / (end - start)) };
}

/** Multiplies values. */
function scaled(values: Float64Array | Float32Array, factor: number): Float32Array<ArrayBuffer> {
  const products = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) products[i] = (values[i] ?? 0) * factor;
  return products;
}

const MAX_BINS = 2 ** 24;

/** Returns the bytes by bin, each span distributed evenly over its bases, and those of all spans, also outside of the bins. */
function sumBytes(
  index: EstimatedIndex,
  { referenceId, start, end, bins }: EstimateRegion,
): { readonly sums: Float64Array; readonly total: number } {
  const sums = new Float64Array(bins);
  const binsPerBase = bins / (end - start);
  let total = 0;
  index.visitByteSpans(referenceId, (spanStart, spanEnd, bytes) => {
    total += bytes;
    if (spanEnd <= start || spanStart >= end) return;
    const from = (spanStart - start) * binsPerBase;
    const to = (spanEnd - start) * binsPerBase;
    const first = from > 0 ? Math.floor(from) : 0;
    // Most spans are in one bin.
    if (from >= 0 && to <= first + 1) {
      sums[first] = (sums[first] ?? 0) + bytes;
      return;
    }
    const bytesPerBin = bytes / (to - from);
    for (let bin = first, at = Math.max(from, 0); at < to && bin < bins; bin++) {
      const next = Math.min(to, bin + 1);
      sums[bin] = (sums[bin] ?? 0) + (next - at) * bytesPerBin;
      at = next;
    }
  });
  return { sums, total };
}
