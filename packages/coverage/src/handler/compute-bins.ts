import { loopTurns } from '@htskit/io/internal';
import type { HtsgetRegion } from '@htskit/protocol';
import { HtsgetError } from '@htskit/protocol';
import { readDepth } from '../depth/depth.js';
import { binEdges, DepthBins } from '../depth/depth-bins.js';
import { estimateDepth } from '../estimate/estimate-depth.js';
import type { CoverageFile } from './coverage-file.js';
import type { CoverageLimits } from './options.js';

/** The depth of a region by bin. */
export interface CoverageBins {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  /** Whether the depth is estimated from the index. */
  readonly estimated: boolean;
  /** By bin, the mean depth of its bases that may be seen; NaN if none may. */
  readonly mean: Float32Array<ArrayBuffer>;
  /** By bin, the greatest depth of a base. Undefined if the depth is estimated. */
  readonly max?: Uint32Array<ArrayBuffer>;
}

/** A region whose reference is known, and whose end is at most that of the reference. */
export interface KnownRegion extends Required<HtsgetRegion> {
  readonly referenceId: number;
}

export interface ComputeBinsOptions {
  /** The maximum number of bins. A region of fewer bases has one for each. */
  readonly bins: number;
  /** The parts of the region that may be seen, ascending and disjoint. Undefined for all of it. */
  readonly permitted: readonly HtsgetRegion[] | undefined;
  readonly limits: CoverageLimits;
  readonly signal: AbortSignal;
}

/**
 * Computes the depth of a region by bin: the exact one if few bytes must be read for it, otherwise an estimate. Only permitted bases
 * count, and those are never estimated: an estimate would depend on the records around them. Throws `HtsgetError` PayloadTooLarge, and
 * what the storage and the decoders throw.
 */
export async function computeBins(
  file: CoverageFile,
  region: KnownRegion,
  options: ComputeBinsOptions,
): Promise<CoverageBins> {
  const { permitted, limits } = options;
  const { referenceName, start, end } = region;
  const bins = Math.min(options.bins, end - start);
  const bounds = { referenceName, start, end };
  if (bins <= 0) return { ...bounds, estimated: false, mean: new Float32Array(), max: new Uint32Array() };
  const bytes = await estimateBytes(file, permitted ?? [bounds]);
  if (bytes <= (permitted === undefined ? limits.scanBytes : limits.restrictedBytes)) {
    return { ...bounds, ...(await readBins(file, region, { ...options, bins })), estimated: false };
  }
  if (permitted !== undefined) throw tooLong();
  return { ...bounds, mean: await estimateBins(file, region, bins), estimated: true };
}

/** Without an index, the whole file is read. */
async function estimateBytes(file: CoverageFile, regions: readonly HtsgetRegion[]): Promise<number> {
  if (file.index === undefined) return file.size;
  return (await file.estimateBytes(regions)) ?? file.size;
}

async function readBins(
  file: CoverageFile,
  region: KnownRegion,
  { bins, permitted, signal }: ComputeBinsOptions,
): Promise<{ mean: Float32Array<ArrayBuffer>; max: Uint32Array<ArrayBuffer> }> {
  const edges = binEdges(region, { bins });
  const depthBins = new DepthBins(edges);
  const { referenceName, start, end } = region;
  const regions = permitted ?? [{ referenceName, start, end }];
  for await (const runs of readDepth(file, regions, { scan: file.index === undefined, signal })) {
    depthBins.add(runs);
    await loopTurns.next(signal);
  }
  const { mean, max } = depthBins;
  return { mean: permitted === undefined ? mean : toPermittedMean(mean, edges, permitted), max };
}

/** Returns the means of the permitted bases, from those of all bases, in which the others count as 0. */
function toPermittedMean(
  mean: Float32Array<ArrayBuffer>,
  edges: Float64Array,
  permitted: readonly HtsgetRegion[],
): Float32Array<ArrayBuffer> {
  let next = 0;
  return mean.map((value, bin) => {
    const [binStart, binEnd] = [edges[bin] ?? 0, edges[bin + 1] ?? 0];
    let bases = 0;
    for (; next < permitted.length; next++) {
      const { start = 0, end = Infinity } = permitted[next] ?? {};
      bases += Math.max(0, Math.min(end, binEnd) - Math.max(start, binStart));
      if (end > binEnd) break;
    }
    if (bases === 0) return NaN;
    return bases === binEnd - binStart ? value : (value * (binEnd - binStart)) / bases;
  });
}

/** Estimates from the number of records if the index states it, otherwise from their bytes, whose compression varies more. */
async function estimateBins(
  file: CoverageFile,
  { referenceId, start, end }: KnownRegion,
  bins: number,
): Promise<Float32Array<ArrayBuffer>> {
  const { index } = file;
  if (index === undefined) {
    throw new HtsgetError('InternalServerError', 'the stored file has no index, which its coverage needs');
  }
  const sample = await file.sample();
  if (sample === undefined) throw tooLong();
  const recordLength = sample.records > 0 ? sample.bases / sample.records : 0;
  const { bytes, mean } = estimateDepth(index, { referenceId, start, end, bins, recordLength });
  if (mean !== undefined && recordLength > 0) return mean;
  const depthPerByte = (sample.bases / sample.bytes) * (bins / (end - start));
  return bytes.map((count) => count * depthPerByte);
}

function tooLong(): HtsgetError {
  return new HtsgetError('PayloadTooLarge', 'the coverage of this region takes too long; request a shorter one');
}
