import type { DepthReference, DepthRegion } from '../depth/clip-runs.js';
import { type BinOptions, binEdges } from '../depth/depth-bins.js';

/** Variants that can be read as columns: an open file of `openVariants` of `@htskit/records`. */
export interface DensityFile {
  readonly references: readonly DepthReference[];
  columns(
    regions: DepthRegion,
    options: { readonly fields: readonly 'start'[]; readonly scan?: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<{ readonly length: number; readonly start: Int32Array }>;
}

export interface DensityOptions {
  /** Whether the region of a file without an index is found by reading all of it. Default false. */
  readonly scan?: boolean;
  readonly signal?: AbortSignal;
}

/** The density of the records of a region. */
export interface Density {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  /** By bin, the number of records that start there. */
  readonly counts: Uint32Array<ArrayBuffer>;
}

/**
 * Counts the records of a region of a VCF or BCF file by bin, and decodes only their positions. A record counts once, in the bin of its
 * first base (POS), however long it is; one at POS 0 counts at the first base. A record that begins before the region does not count,
 * even if it reaches into it. So the counts of adjacent regions add up to those of the whole, in bins of any size. Rejects with
 * RangeError for an unknown reference, an invalid number of bins, and a region without an end on a reference whose length the header
 * does not declare, and with the errors of `columns`.
 *
 * @example
 * ```ts
 * import { density } from '@htskit/coverage';
 * import { openVariants } from '@htskit/records';
 *
 * const file = await openVariants('variants.vcf.gz');
 * const { counts } = await density(file, { referenceName: 'chr1', start: 0, end: 100_000 }, { bins: 500 });
 * console.log(counts.length);
 * ```
 */
export async function density(
  file: DensityFile,
  region: DepthRegion,
  { bins, binSize, scan = false, signal }: DensityOptions & BinOptions = {},
): Promise<Density> {
  const bounds = boundsOf(file, region);
  const edges = binEdges(bounds, binSize === undefined ? { ...(bins !== undefined && { bins }) } : { binSize });
  const counts = new Uint32Array(edges.length - 1);
  if (bounds.start === bounds.end) return { ...bounds, counts };
  const options = { fields: ['start'], scan, ...(signal !== undefined && { signal }) } as const;
  for await (const { length, start } of file.columns(bounds, options)) {
    for (let i = 0; i < length; i++) {
      const base = Math.max(0, start[i] ?? 0);
      if (base < bounds.start || base >= bounds.end) continue;
      const bin = binOf(base, edges, binSize);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return { ...bounds, counts };
}

/** Returns the bases of a region that its reference has, as far as that is known. */
function boundsOf({ references }: DensityFile, { referenceName, ...region }: DepthRegion): Required<DepthRegion> {
  const reference = references.find(({ name }) => name === referenceName);
  if (reference === undefined) throw new RangeError(`unknown reference ${JSON.stringify(referenceName)}`);
  const end = Math.min(region.end ?? Infinity, reference.length ?? Infinity);
  if (end === Infinity) {
    const name = JSON.stringify(referenceName);
    throw new RangeError(`the header does not declare the length of reference ${name}; set the end of the region`);
  }
  const start = Math.min(Math.max(0, region.start ?? 0), Math.max(0, end));
  return { referenceName, start, end: Math.max(start, end) };
}

/** Returns the bin of a base of the region. */
function binOf(base: number, edges: Float64Array, binSize: number | undefined): number {
  const count = edges.length - 1;
  const [start = 0, end = 0] = [edges[0], edges[count]];
  if (binSize !== undefined) return Math.floor((base - start) / binSize);
  // Edges are rounded down, so that the base may be in the next bin.
  let bin = Math.floor(((base - start) * count) / (end - start));
  while (base >= (edges[bin + 1] ?? Infinity)) bin++;
  while (base < (edges[bin] ?? 0)) bin--;
  return bin;
}
