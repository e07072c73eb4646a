import { compareVirtualOffsets, EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import { type BinningIndex, type Chunk, mergeChunks } from '@htskit/indexes';
import { HtsgetError, type HtsgetQuery, type HtsgetRegion, UNPLACED } from '@htskit/protocol';
import type { BamFile } from './bam-file.js';
import type { CutSegment, Plan, Precision, ReferenceInterval, Segment } from './plan.js';

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
  const chunks = clipToBody(mergeChunks(intervals.flatMap((interval) => index.chunks(interval))), file);
  const unplaced = wantsUnplaced && index.noCoordinateCount !== 0 ? [unplacedChunk(file, index)] : [];
  return [...cuts(chunks, isExact(input, chunks) ? intervals : undefined), ...cuts(clipToBody(unplaced, file))];
}

function resolveIntervals(file: BamFile, regions: readonly HtsgetRegion[]): ReferenceInterval[] {
  const intervals: ReferenceInterval[] = [];
  for (const { referenceName, start = 0, end = Number.MAX_SAFE_INTEGER } of regions) {
    const referenceId = file.referenceIds.get(referenceName);
    if (referenceId === undefined) throw new HtsgetError('NotFound', 'the file has no reference of that name');
    if (start < end) intervals.push({ referenceId, start, end });
  }
  return intervals;
}

function wholeBody(file: BamFile): Chunk {
  return { start: file.firstRecord, end: file.end };
}

/** In a coordinate-sorted file every record behind the last placed one is unplaced. */
function unplacedChunk(file: BamFile, index: BinningIndex): Chunk {
  return { start: index.lastMappedEnd() ?? file.firstRecord, end: file.end };
}

/** An index that points outside the records must not make the header, or the EOF marker, part of the body. */
function clipToBody(chunks: readonly Chunk[], file: BamFile): Chunk[] {
  return chunks
    .map(({ start, end }) => ({ start: later(start, file.firstRecord), end: earlier(end, file.end) }))
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0);
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
  return chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .map(({ start, end }) => ({ kind: 'cut', class: 'body', start, end, ...(intervals && { intervals }) }));
}
