import type { DepthReference, DepthRegion } from '../depth/clip-runs.js';
import { type BinOptions, binEdges } from '../depth/depth-bins.js';

/** Variants that can be read as columns: an open file of `openVariants` of `@htskit/records`. */
export interface DensityFile {
  readonly references: readonly DepthReference[];
  columns(
    regions: readonly DepthRegion[] | undefined,
    options: { readonly fields: readonly 'start'[]; readonly scan?: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<{ readonly length: number; readonly start: Int32Array }>;
}

export interface DensityReadOptions {
  /** Whether regions of a file without an index are found by reading all of it. Default false. */
  readonly scan?: boolean;
  readonly signal?: AbortSignal;
}

/** The number of records that start in the bins of a region. */
export interface Density {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  /** By bin. */
  readonly counts: Uint32Array<ArrayBuffer>;
}

/**
 * Counts the records that start in each bin of a region: in all bins together, each record once. Rejects with RangeError for an
 * invalid number of bins, and with the errors of `columns`.
 *
 * @example
 * ```ts
 * import { density } from '@htskit/coverage';
 * import { openVariants } from '@htskit/records';
 *
 * const file = await openVariants('variants.vcf.gz');
 * const { counts } = await density(file, { referenceName: 'chr1', start: 0, end: 100_000 }, { bins: 100 });
 * console.log(counts.length);
 * ```
 */
export async function density(
  file: DensityFile,
  { referenceName, ...bounds }: DepthRegion,
  { bins, binSize, ...options }: DensityReadOptions & BinOptions = {},
): Promise<Density> {
  const length = file.references.find(({ name }) => name === referenceName)?.length ?? Number.MAX_SAFE_INTEGER;
  const region = { start: Math.max(0, bounds.start ?? 0), end: Math.min(length, bounds.end ?? length) };
  const edges = binEdges(region, binSize === undefined ? { ...(bins !== undefined && { bins }) } : { binSize });
  const starts = new StartCounts(edges, [region]);
  for await (const columns of file.columns([{ referenceName, ...region }], { fields: ['start'], ...options })) {
    starts.add(columns);
  }
  return { referenceName, ...region, counts: starts.counts };
}

/** Counts records by the bins in which they start. */
export class StartCounts {
  /** By bin. */
  readonly counts: Uint32Array<ArrayBuffer>;
  readonly #edges: Float64Array;
  readonly #parts: readonly { readonly start: number; readonly end: number }[];
  #bin = 0;
  #part = 0;

  /** `edges`: those of the bins. `parts`: the bases that count, in ascending order and disjoint. */
  constructor(edges: Float64Array, parts: readonly { readonly start: number; readonly end: number }[]) {
    this.counts = new Uint32Array(edges.length - 1);
    this.#edges = edges;
    this.#parts = parts;
  }

  /** Adds records that follow those so far. One that overlaps a part may start before it, and does not count. */
  add({ length, start }: { readonly length: number; readonly start: Int32Array }): void {
    const { counts } = this;
    for (let i = 0; i < length; i++) {
      const base = start[i] ?? 0;
      while (base >= (this.#parts[this.#part]?.end ?? Infinity)) this.#part++;
      if (base < (this.#parts[this.#part]?.start ?? Infinity)) continue;
      while (base >= (this.#edges[this.#bin + 1] ?? Infinity)) this.#bin++;
      counts[this.#bin] = (counts[this.#bin] ?? 0) + 1;
    }
  }
}
