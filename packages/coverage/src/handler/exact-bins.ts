import { loopTurns } from '@htskit/io/internal';
import type { AlignmentFile, VariantFile } from '@htskit/records';
import { StartCounts } from '../density/density.js';
import { type DepthFile, readDepth } from '../depth/depth.js';
import { binEdges, DepthBins } from '../depth/depth-bins.js';
import { ofReadGroups } from './read-group-depth.js';

/** A region of a known reference, in bins. */
export interface CoverageRegion {
  readonly referenceId: number;
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  readonly bins: number;
}

/** The parts of a region that count, in ascending order and disjoint. */
export type PermittedParts = readonly Pick<CoverageRegion, 'referenceName' | 'start' | 'end'>[];

export interface ExactOptions {
  readonly permitted: PermittedParts;
  readonly signal: AbortSignal;
  readonly scan: boolean;
}

/** Records that are read before other requests have their turn. */
const TURN_RECORDS = 2 ** 13;

interface DepthOptions extends ExactOptions {
  /** The read groups whose records count. Default: all records count. */
  readonly readGroups?: readonly string[] | undefined;
}

/** Reads the depth of the bins of a region. Bases that are not permitted count as bases without records. */
export async function readDepthBins(
  alignments: AlignmentFile,
  region: CoverageRegion,
  { permitted, readGroups, ...options }: DepthOptions,
): Promise<Pick<DepthBins, 'mean' | 'max'>> {
  const file: DepthFile = readGroups === undefined ? alignments : ofReadGroups(alignments, readGroups);
  const bins = new DepthBins(binEdges(region, { bins: region.bins }));
  for await (const runs of readDepth(file, permitted, { ...options, maxRecords: TURN_RECORDS })) {
    bins.add(runs);
    await loopTurns.next();
  }
  return bins;
}

/** Counts the records that start in the bins of a region, at bases that are permitted. */
export async function countStarts(
  file: VariantFile,
  region: CoverageRegion,
  { permitted, ...options }: ExactOptions,
): Promise<Uint32Array> {
  const starts = new StartCounts(binEdges(region, { bins: region.bins }), permitted);
  const request = { ...options, fields: ['start'], maxRecords: TURN_RECORDS } as const;
  for await (const columns of file.columns(permitted, request)) {
    starts.add(columns);
    await loopTurns.next();
  }
  return starts.counts;
}
