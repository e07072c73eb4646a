import { EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import type { Chunk, CraiIndex } from '@htskit/indexes';
import type { CramContainerRange } from '@htskit/indexes/internal';
import { HtsgetError } from '@htskit/protocol';
import type { CramFile } from '../file/cram-file.js';
import { maxBlockBytes } from '../limits.js';
import { type ChunkIndex, findIntervalChunks, groupIntervals, type IntervalChunk } from './interval-chunks.js';
import { fitsUrl, MAX_INTERVALS } from './packed-intervals.js';
import type { Conversion, CutSegment, Plan, Segment } from './plan.js';
import { planNewHeader, UNPLACED_INTERVAL } from './plan-bgzf.js';
import { clipToBody, resolveCramRegions } from './plan-cram.js';
import type { PlanInput } from './plan-input.js';

type CramConversionInput = Omit<PlanInput<CramFile, CraiIndex>, 'precision'> & { readonly conversion: Conversion };

/**
 * Plans the answer to a query of a CRAM file as BAM: one header, the selected records in file order, each once, and one EOF
 * marker. All records are decoded, so regions are exact whatever the precision. Throws the errors of `planCram`, and
 * PayloadTooLarge for a restricted query whose intervals do not fit into block URLs.
 */
export function planCramConversion(input: CramConversionInput): Plan {
  const { query, conversion, rewriting, limits } = input;
  const header = planNewHeader(conversion.header, limits.inlineBytes);
  const body = query.class === 'header' ? [] : planBody(input).flatMap((chunk) => toCuts(chunk, input));
  const eof: Segment = { kind: 'inline', class: 'body', bytes: EOF_MARKER };
  return { format: 'BAM', segments: [header, ...body, eof], rewriting, conversion };
}

/** Returns the containers to decode. */
function planBody({ file, index, query }: CramConversionInput): IntervalChunk[] {
  const bounds: CramContainerRange = { start: file.headerBytes.length, end: file.end };
  if (query.regions === undefined) return toChunks([bounds], file).map((chunk) => ({ ...chunk, intervals: [] }));
  const { intervals, unplaced } = resolveCramRegions(query, file);
  const selected = unplaced ? [UNPLACED_INTERVAL, ...intervals] : intervals;
  const containers: ChunkIndex = {
    tabix: undefined,
    referenceId: () => undefined,
    chunks: ({ referenceId, start, end }) =>
      toChunks(
        index?.containers(referenceId < 0 ? { referenceId: -1 } : { referenceId, start, end }) ?? [bounds],
        file,
      ),
  };
  return groupIntervals(selected, containers).flatMap(({ intervals: group, recordsFrom }) =>
    findIntervalChunks(containers, group).map((chunk) => ({ ...chunk, recordsFrom })),
  );
}

/** Converts ranges of containers to chunks, whose offsets are those of containers instead of BGZF blocks. */
function toChunks(ranges: readonly CramContainerRange[], file: CramFile): Chunk[] {
  return ranges
    .map((range) => clipToBody(range, file))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start: toOffset(start), end: toOffset(end) }));
}

function toOffset(containerStart: number): VirtualOffset {
  return { coffset: containerStart, uoffset: 0 };
}

/** Splits a part at containers into cuts of bounded work. */
function toCuts(
  { start, end, intervals, recordsFrom }: IntervalChunk,
  { index, query, isRestricted, limits }: CramConversionInput,
): CutSegment[] {
  const blockBytes = maxBlockBytes(limits, true);
  const isRegion = query.regions !== undefined;
  const isFiltered = isRegion && fitsUrl(intervals);
  if (isRestricted && isRegion && !isFiltered) {
    throw new HtsgetError('PayloadTooLarge', `more than ${MAX_INTERVALS} separate regions`);
  }
  const part = { kind: 'cut', class: 'body', ...(isFiltered && { intervals, recordsFrom }) } as const;
  const cuts: CutSegment[] = [];
  let from = start.coffset;
  while (end.coffset - from > blockBytes) {
    const to = index?.splitAt(from, blockBytes);
    if (to === undefined || to >= end.coffset) break;
    cuts.push({ ...part, start: toOffset(from), end: toOffset(to) });
    from = to;
  }
  cuts.push({ ...part, start: toOffset(from), end });
  return cuts;
}
