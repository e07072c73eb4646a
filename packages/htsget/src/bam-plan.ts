import { compareVirtualOffsets, EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import type { BinningIndex, Chunk } from '@htskit/indexes';
import { HtsgetError, type HtsgetQuery, type HtsgetRegion, UNPLACED } from '@htskit/protocol';
import type { BamFile } from './bam-file.js';
import {
  type CutSegment,
  MAX_INTERVALS,
  type Plan,
  type Precision,
  type ReferenceInterval,
  type Segment,
} from './plan.js';

export interface BamPlanInput {
  readonly file: BamFile;
  /** Without it a region is answered by filtering the whole file. */
  readonly index?: BinningIndex | undefined;
  readonly query: Pick<HtsgetQuery, 'class' | 'regions'>;
  readonly precision: Precision;
  /** `auto` filters record by record up to this many compressed bytes. */
  readonly exactBytes: number;
  /** A compressed header up to this many bytes is sent inline. */
  readonly inlineBytes: number;
}

/**
 * Plans the answer to a reads query from a BAM file: one header, the records asked for in file order and each once,
 * one EOF marker. Throws `HtsgetError` NotFound for a reference that the header does not name.
 */
export function planBam(input: BamPlanInput): Plan {
  const { file, query } = input;
  const body = query.class === 'header' ? [] : planBody(input);
  const eof: Segment = { kind: 'inline', class: 'body', bytes: EOF_MARKER };
  return { format: 'BAM', segments: [planHeader(file, input.inlineBytes), ...body, eof] };
}

function planHeader(file: BamFile, inlineBytes: number): Segment {
  return file.headerBlocks.length <= inlineBytes
    ? { kind: 'inline', class: 'header', bytes: file.headerBlocks }
    : { kind: 'cut', class: 'header', start: { coffset: 0, uoffset: 0 }, end: file.firstRecord };
}

function planBody(input: BamPlanInput): CutSegment[] {
  const { file, index, query } = input;
  if (query.regions === undefined) return cuts([wholeBody(file)]);
  const placed = query.regions.filter((region) => region.referenceName !== UNPLACED);
  const intervals = resolveIntervals(file, placed);
  const wantsUnplaced = placed.length < query.regions.length;
  if (index === undefined) {
    // The protocol allows a superset, and only an index tells where the unplaced reads begin.
    return wantsUnplaced ? cuts([wholeBody(file)]) : intervals.length > 0 ? cuts([wholeBody(file)], intervals) : [];
  }
  const found = findChunks(index, intervals);
  const isFiltered = isExact(input, found);
  const placedCuts = found.flatMap((chunk) => cuts([chunk], isFiltered ? chunk.intervals : undefined));
  const unplaced = wantsUnplaced && index.noCoordinateCount !== 0 ? cuts([unplacedChunk(file, index)]) : [];
  return [...placedCuts, ...unplaced].flatMap((cut) => clipToBody(cut, file));
}

/** The bases asked for, sorted and merged. */
function resolveIntervals(file: BamFile, regions: readonly HtsgetRegion[]): ReferenceInterval[] {
  const intervals: ReferenceInterval[] = [];
  for (const { referenceName, start = 0, end = Number.MAX_SAFE_INTEGER } of regions) {
    const referenceId = file.referenceIds.get(referenceName);
    if (referenceId === undefined) throw new HtsgetError('NotFound', 'the file has no reference of that name');
    if (start < end) intervals.push({ referenceId, start, end });
  }
  return mergeIntervals(intervals.sort((a, b) => a.referenceId - b.referenceId || a.start - b.start));
}

function mergeIntervals(sorted: readonly ReferenceInterval[]): ReferenceInterval[] {
  const merged: ReferenceInterval[] = [];
  for (const interval of sorted) {
    const last = merged.at(-1);
    const joins = last?.referenceId === interval.referenceId && last.end >= interval.start;
    if (joins) merged[merged.length - 1] = { ...last, end: Math.max(last.end, interval.end) };
    else merged.push(interval);
  }
  return merged;
}

interface FoundChunk extends Chunk {
  /** The intervals whose records can be in the chunk. */
  readonly intervals: readonly ReferenceInterval[];
}

/** The chunks of all intervals in file order. Those that overlap or touch are one, and keep the intervals of each. */
function findChunks(index: BinningIndex, intervals: readonly ReferenceInterval[]): FoundChunk[] {
  const found = intervals.flatMap((interval) => index.chunks(interval).map((chunk) => ({ ...chunk, interval })));
  const joined: (FoundChunk & { readonly intervals: ReferenceInterval[] })[] = [];
  for (const { start, end, interval } of found.sort((a, b) => compareVirtualOffsets(a.start, b.start))) {
    const last = joined.at(-1);
    if (last === undefined || compareVirtualOffsets(last.end, start) < 0) {
      joined.push({ start, end, intervals: [interval] });
      continue;
    }
    if (!last.intervals.includes(interval)) last.intervals.push(interval);
    joined[joined.length - 1] = { ...last, end: later(last.end, end) };
  }
  return joined;
}

function wholeBody(file: BamFile): Chunk {
  return { start: file.firstRecord, end: file.end };
}

/** In a coordinate-sorted file every record behind the last placed one is unplaced. */
function unplacedChunk(file: BamFile, index: BinningIndex): Chunk {
  return { start: index.lastMappedEnd() ?? file.firstRecord, end: file.end };
}

/** An index that points outside the records must not make the header, or the EOF marker, part of the body. */
function clipToBody(cut: CutSegment, file: BamFile): CutSegment[] {
  const clipped = { ...cut, start: later(cut.start, file.firstRecord), end: earlier(cut.end, file.end) };
  return compareVirtualOffsets(clipped.start, clipped.end) < 0 ? [clipped] : [];
}

function later(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? b : a;
}

function earlier(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? a : b;
}

function isExact({ precision, exactBytes }: BamPlanInput, chunks: readonly Chunk[]): boolean {
  if (precision !== 'auto') return precision === 'exact';
  return chunks.reduce((bytes, { start, end }) => bytes + end.coffset - start.coffset, 0) <= exactBytes;
}

function cuts(chunks: readonly Chunk[], intervals?: readonly ReferenceInterval[]): CutSegment[] {
  const filter = intervals !== undefined && intervals.length <= MAX_INTERVALS ? { intervals } : {};
  return chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .map(({ start, end }) => ({ kind: 'cut', class: 'body', start, end, ...filter }));
}
