import { firstIndex } from '@htskit/io/internal';
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
  const starts = new StartCounts(edges, [bounds]);
  if (bounds.start === bounds.end) return { ...bounds, counts: starts.counts };
  const options = { fields: ['start'], scan, ...(signal !== undefined && { signal }) } as const;
  for await (const columns of file.columns(bounds, options)) starts.add(columns);
  return { ...bounds, counts: starts.counts };
}

/** Counts records by the bins in which they start. */
export class StartCounts {
  /** By bin. */
  readonly counts: Uint32Array<ArrayBuffer>;
  readonly #edges: Float64Array;
  readonly #parts: readonly Pick<Density, 'start' | 'end'>[];

  /** `edges`: those of the bins. `parts`: the bases at which records count, in ascending order and disjoint. */
  constructor(edges: Float64Array, parts: readonly Pick<Density, 'start' | 'end'>[]) {
    this.counts = new Uint32Array(edges.length - 1);
    this.#edges = edges;
    this.#parts = parts;
  }

  /** Adds records. One that overlaps a part may start before it, and does not count. */
  add({ length, start }: { readonly length: number; readonly start: Int32Array }): void {
    const { counts } = this;
    for (let i = 0; i < length; i++) {
      const base = Math.max(0, start[i] ?? 0);
      const part = this.#parts[firstIndex(this.#parts.length, (index) => (this.#parts[index]?.end ?? 0) > base)];
      if (part === undefined || base < part.start) continue;
      const bin = firstIndex(counts.length, (index) => (this.#edges[index + 1] ?? 0) > base);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
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
