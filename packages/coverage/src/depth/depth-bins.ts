import type { DepthRuns } from './depth-runs.js';

/** Bins of a region: a number of about equal ones, or ones of `binSize` bases, the last of which may be shorter. */
export type BinOptions =
  | { readonly bins?: number; readonly binSize?: never }
  | { readonly bins?: never; readonly binSize: number };

const MAX_BINS = 2 ** 24;

/** Returns the bin edges of a region: bin i has the bases from edge i to edge i + 1. Throws RangeError for an invalid number of bins. */
export function binEdges(
  { start, end }: { readonly start: number; readonly end: number },
  options: BinOptions,
): Float64Array {
  const { binSize, bins = 1 } = options;
  const count = binSize === undefined ? bins : Math.max(1, Math.ceil((end - start) / binSize));
  if (
    !(Number.isInteger(count) && count >= 1 && count <= MAX_BINS) ||
    (binSize !== undefined && !Number.isInteger(binSize))
  ) {
    throw new RangeError(`expected 1 to ${MAX_BINS} bins of whole bases, found ${binSize ?? bins}`);
  }
  const bases = binSize ?? (end - start) / count;
  return Float64Array.from({ length: count + 1 }, (_, i) => (i === count ? end : start + Math.floor(i * bases)));
}

/** The mean and the greatest depth of the bases of each bin. */
export class DepthBins {
  readonly #edges: Float64Array;
  readonly #sums: Float64Array;
  /** By bin. */
  readonly max: Uint32Array<ArrayBuffer>;
  #bin = 0;

  constructor(edges: Float64Array) {
    this.#edges = edges;
    this.#sums = new Float64Array(edges.length - 1);
    this.max = new Uint32Array(edges.length - 1);
  }

  /** By bin. A bin without bases has mean 0. */
  get mean(): Float32Array<ArrayBuffer> {
    return Float32Array.from(this.#sums, (sum, bin) =>
      sum === 0 ? 0 : sum / (this.#edgeAt(bin + 1) - this.#edgeAt(bin)),
    );
  }

  /** Adds runs of the reference that follow those so far. */
  add({ length, start, end, depth }: DepthRuns): void {
    const { max } = this;
    const count = max.length;
    for (let i = 0; i < length; i++) {
      const [runEnd, runDepth] = [end[i] ?? 0, depth[i] ?? 0];
      let base = Math.max(start[i] ?? 0, this.#edgeAt(0));
      while (this.#bin < count && this.#edgeAt(this.#bin + 1) <= base) this.#bin++;
      for (let bin = this.#bin; bin < count && base < runEnd; bin++) {
        const next = Math.min(runEnd, this.#edgeAt(bin + 1));
        if (next <= base) continue;
        this.#sums[bin] = (this.#sums[bin] ?? 0) + (next - base) * runDepth;
        if (runDepth > (max[bin] ?? 0)) max[bin] = runDepth;
        base = next;
      }
    }
  }

  #edgeAt(index: number): number {
    return this.#edges[index] ?? Infinity;
  }
}
