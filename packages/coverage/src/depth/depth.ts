import { type DepthReference, type DepthRegion, depthIntervals, RunClipper } from './clip-runs.js';
import { DepthAccumulator } from './depth-accumulator.js';
import { type BinOptions, binEdges, DepthBins } from './depth-bins.js';
import type { DepthColumns, DepthFilter } from './depth-columns.js';
import { type DepthRuns, RunList } from './depth-runs.js';

type DepthField = Exclude<keyof DepthColumns, 'length'>;

/** Alignments that can be read as columns: an open file of `openAlignments` of `@htskit/records`. */
export interface DepthFile {
  readonly references: readonly DepthReference[];
  columns(
    regions: readonly DepthRegion[] | undefined,
    options: {
      readonly fields: readonly DepthField[];
      readonly maxRecords?: number;
      readonly scan?: boolean;
      readonly signal?: AbortSignal;
    },
  ): AsyncIterable<DepthColumns>;
}

export interface DepthReadOptions extends DepthFilter {
  /** Whether regions of a file without an index are found by reading all of it. Default false. */
  readonly scan?: boolean;
  /** The maximum number of records that are read at once. Default: that of the file. */
  readonly maxRecords?: number;
  readonly signal?: AbortSignal;
}

/** The depth of a region. */
export interface Depth {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  /** By bin, the mean depth of its bases. */
  readonly mean: Float32Array<ArrayBuffer>;
  /** By bin, the greatest depth of a base. */
  readonly max: Uint32Array<ArrayBuffer>;
  /** The exact depths. */
  readonly runs: DepthRuns;
}

/**
 * Computes the exact depth of a region, as `samtools depth` does. Rejects with RangeError for an unknown reference, an invalid number of
 * bins, and a file that is not sorted, and with the errors of `columns`.
 *
 * @example
 * ```ts
 * import { depth } from '@htskit/coverage';
 * import { openAlignments } from '@htskit/records';
 *
 * const file = await openAlignments('reads.bam');
 * const { mean, max } = await depth(file, { referenceName: 'chr1', start: 0, end: 100_000 }, { bins: 500 });
 * console.log(mean.length, max.length);
 * ```
 */
export async function depth(
  file: DepthFile,
  { referenceName, ...bounds }: DepthRegion,
  { bins, binSize, ...options }: DepthReadOptions & BinOptions = {},
): Promise<Depth> {
  const length = file.references.find(({ name }) => name === referenceName)?.length ?? 0;
  const { start = 0, end = length } = bounds;
  const region = { referenceName, start: Math.max(0, start), end: Math.min(length, end) };
  const depthBins = new DepthBins(
    binEdges(region, binSize === undefined ? { ...(bins !== undefined && { bins }) } : { binSize }),
  );
  const list = new RunList();
  for await (const runs of readDepth(file, [region], options)) {
    depthBins.add(runs);
    for (let i = 0; i < runs.length; i++) list.push(runs.start[i] ?? 0, runs.end[i] ?? 0, runs.depth[i] ?? 0);
  }
  const referenceId = file.references.findIndex(({ name }) => name === referenceName);
  return { ...region, mean: depthBins.mean, max: depthBins.max, runs: list.take(referenceId) };
}

const FIELDS: readonly DepthField[] = ['referenceId', 'start', 'flags', 'cigar'];

/**
 * Reads the exact depth of regions, or of a whole file, in the order of the file and in bounded memory. Each base of overlapping regions
 * comes once. Fails as `depth` does.
 */
export async function* readDepth(
  file: DepthFile,
  regions: readonly DepthRegion[] | undefined,
  { scan = false, maxRecords, signal, ...filter }: DepthReadOptions = {},
): AsyncGenerator<DepthRuns, void> {
  const accumulator = new DepthAccumulator(filter);
  const clipper = new RunClipper(depthIntervals(file.references, regions));
  const fields = [...FIELDS];
  if ((filter.minMappingQuality ?? 0) > 0) fields.push('mappingQuality');
  if ((filter.minBaseQuality ?? 0) > 0) fields.push('qualities');
  if (filter.countOverlapsOnce === true) fields.push('names', 'mateReferenceId', 'mateStart');
  const options = { scan, ...(maxRecords !== undefined && { maxRecords }), ...(signal !== undefined && { signal }) };
  for await (const columns of file.columns(regions, { fields, ...options })) {
    for (const runs of accumulator.add(columns)) yield clipper.clip(runs);
  }
  for (const runs of accumulator.finish()) yield clipper.clip(runs);
}
