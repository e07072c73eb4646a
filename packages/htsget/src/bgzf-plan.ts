import { compareVirtualOffsets, EOF_MARKER, inflateBlocks, type VirtualOffset } from '@htskit/bgzf';
import { type BinningIndex, type Chunk, IndexError, mergeChunks } from '@htskit/indexes';
import { HtsgetError, type HtsgetFormat, UNPLACED } from '@htskit/protocol';
import type { BgzfFile } from './bgzf-file.js';
import { findIntervalChunks, type IntervalChunk, later, toQuery } from './interval-chunks.js';
import { fitsUrl, groupIntervals } from './interval-groups.js';
import { DEFAULT_LIMITS } from './options.js';
import {
  type CutSegment,
  MAX_INTERVALS,
  type Plan,
  type Precision,
  type ReferenceInterval,
  type Rewriting,
  type Segment,
} from './plan.js';
import { RECORD_FORMATS } from './record-format.js';
import { mergeIntervals, type RegionsQuery, resolveRegions } from './reference-intervals.js';

export interface BgzfPlanInput {
  readonly file: BgzfFile;
  /** Without it a region is answered by filtering the whole file. */
  readonly index?: BinningIndex | undefined;
  readonly query: RegionsQuery;
  /** The format of the answer: that of the file, or VCFTEXT for a VCF. Default that of the file. */
  readonly format?: HtsgetFormat | undefined;
  readonly precision: Precision;
  /** Nothing but records that overlap the regions may leave, whatever the precision. */
  readonly isRestricted?: boolean | undefined;
  /** `auto` filters record by record up to this many compressed bytes. */
  readonly exactBytes: number;
  /** A header up to this many bytes, as it is sent, is sent inline. */
  readonly inlineBytes: number;
  /** Parts with up to this many compressed bytes between them are read as one. Default 64 KiB. */
  readonly gapBytes?: number | undefined;
}

/**
 * Plans the answer to a query from a BAM, BCF or VCF file: one header, the records asked for in file order and each once,
 * one EOF marker. Throws `HtsgetError` NotFound for a reference that the file does not have, and PayloadTooLarge for a
 * confined query of more separate intervals than can be told apart without an index.
 */
export function planBgzf(input: BgzfPlanInput): Plan {
  const { file, query, format = file.format } = input;
  const body = query.class === 'header' ? [] : planBody(input);
  const eof: Segment = { kind: 'inline', class: 'body', bytes: EOF_MARKER };
  const end = format === 'VCFTEXT' ? [] : [eof];
  return { format, segments: [planHeader(input), ...body, ...end], rewriting: planRewriting(input) };
}

/** None for records that are asked for as they are. */
function planRewriting({ file, query: { class: part, fields, tags, notags } }: BgzfPlanInput): Rewriting | undefined {
  const selection = {
    ...(fields !== undefined && { fields }),
    ...(tags !== undefined && { tags }),
    ...(notags !== undefined && { notags }),
  };
  if (part === 'header' || RECORD_FORMATS[file.format].keepsAll(selection)) return undefined;
  return { selection, header: file.header };
}

function planHeader({ file, format, inlineBytes }: BgzfPlanInput): Segment {
  const bytes = format === 'VCFTEXT' ? inflateBlocks(file.headerBlocks) : file.headerBlocks;
  return bytes.length <= inlineBytes
    ? { kind: 'inline', class: 'header', bytes }
    : { kind: 'cut', class: 'header', start: { coffset: 0, uoffset: 0 }, end: file.firstRecord };
}

function planBody(input: BgzfPlanInput): CutSegment[] {
  const { file, index, query } = input;
  if (query.regions === undefined) return toCuts([wholeBody(file)]);
  const { intervals, unplaced } = resolveRegions(query, {
    referenceId: createReferenceIds(file, index),
    hasUnplaced: file.format === 'BAM',
  });
  if (index === undefined) return planWithoutIndex(input, intervals, unplaced);
  const placed = planPlaced(input, index, intervals);
  const rest = unplaced && index.unplacedCount !== 0 ? planUnplaced(input, index) : [];
  return [...placed, ...rest].flatMap((cut) => clipToBody(cut, file));
}

/**
 * What intervals name references with. The contigs of a VCF need not be in its header: then those of the index count, and
 * without one any name may occur.
 */
function createReferenceIds(file: BgzfFile, index: BinningIndex | undefined): (name: string) => number | undefined {
  const { referenceIds } = file.header;
  if (file.format !== 'VCF') return (name) => referenceIds.get(name);
  const others = new Map<string, number>();
  const isOpen = index === undefined && referenceIds.size === 0;
  return (name) => {
    const known = referenceIds.get(name);
    if (known !== undefined || !(isOpen || index?.referenceId(name) !== undefined)) return known;
    const id = others.get(name) ?? referenceIds.size + others.size;
    others.set(name, id);
    return id;
  };
}

/** The protocol allows a superset, and only an index tells where the unplaced reads begin. */
function planWithoutIndex(
  input: BgzfPlanInput,
  intervals: readonly ReferenceInterval[],
  unplaced: boolean,
): CutSegment[] {
  const whole = wholeBody(input.file);
  if (unplaced && input.isRestricted !== true) return toCuts([whole]);
  const wanted = unplaced ? [UNPLACED_INTERVAL, ...intervals] : intervals;
  return wanted.length === 0 ? [] : filteredCuts(input, [{ ...whole, intervals: wanted }]);
}

/** What keeps the reads without a reference, wherever they claim to begin, from a part that may hold others. */
const UNPLACED_INTERVAL: ReferenceInterval = {
  referenceId: -1,
  referenceName: UNPLACED,
  start: -(2 ** 31),
  end: Number.MAX_SAFE_INTEGER,
};

function planUnplaced(input: BgzfPlanInput, index: BinningIndex): readonly CutSegment[] {
  const chunk = unplacedChunk(input.file, index);
  checkInFile(chunk.start, input.file);
  if (compareVirtualOffsets(chunk.start, chunk.end) >= 0 && index.unplacedCount !== undefined) {
    throw new IndexError('INVALID_DATA', 'the index knows of unplaced reads that the file does not have', {
      offset: 0,
    });
  }
  return input.isRestricted === true
    ? filteredCuts(input, [{ ...chunk, intervals: [UNPLACED_INTERVAL] }])
    : toCuts([chunk]);
}

function planPlaced(
  input: BgzfPlanInput,
  index: BinningIndex,
  intervals: readonly ReferenceInterval[],
): readonly CutSegment[] {
  const { gapBytes = DEFAULT_LIMITS.gapBytes } = input;
  const found = groupIntervals(intervals, index).flatMap(({ intervals: group, recordsFrom }) =>
    joinNear(findIntervalChunks(index, group), gapBytes).map((chunk) => ({ ...chunk, recordsFrom })),
  );
  if (input.isRestricted === true) return filteredCuts(input, found);
  if (input.precision === 'chunks') return toCuts(found, gapBytes);
  const cuts = filteredCuts(
    input,
    found.flatMap((chunk) => splitAtInteriors(chunk, index)),
  );
  return input.precision === 'exact' || scannedBytes(cuts) <= input.exactBytes ? cuts : toCuts(found, gapBytes);
}

/** Chunks that are near each other as one: what lies between them is filtered out, and a cut more would cost more. */
function joinNear(chunks: readonly IntervalChunk[], gapBytes: number): IntervalChunk[] {
  const joined: IntervalChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    if (last === undefined || chunk.start.coffset - last.end.coffset > gapBytes) joined.push(chunk);
    else {
      const intervals = mergeIntervals([...last.intervals, ...chunk.intervals]);
      joined[joined.length - 1] = { start: last.start, end: chunk.end, intervals };
    }
  }
  return joined;
}

/** Compressed bytes that make it worth to pass a part through untouched: its edges are re-blocked. */
const LEAST_INTERIOR_BYTES = 2 * 65536;

/** Parts whose records all lie within an interval need no look at each of them. */
function splitAtInteriors(chunk: IntervalChunk, index: BinningIndex): IntervalChunk[] {
  const parts: IntervalChunk[] = [];
  let { start } = chunk;
  for (const interval of chunk.intervals) {
    const interior = index.interior(toQuery(index, interval));
    if (interior === undefined) continue;
    const interiorStart = later(interior.start, start);
    const interiorEnd = earlier(interior.end, chunk.end);
    if (interiorEnd.coffset - interiorStart.coffset < LEAST_INTERIOR_BYTES) continue;
    parts.push({ ...chunk, start, end: interiorStart });
    parts.push({ start: interiorStart, end: interiorEnd, intervals: [] });
    start = interiorEnd;
  }
  parts.push({ ...chunk, start });
  return parts.filter((part) => compareVirtualOffsets(part.start, part.end) < 0);
}

/** Cuts that keep the records of their chunks' intervals; where a block URL cannot carry these, all records. */
function filteredCuts({ isRestricted }: BgzfPlanInput, chunks: readonly IntervalChunk[]): CutSegment[] {
  return chunks.flatMap(({ start, end, intervals, recordsFrom }): CutSegment[] => {
    if (intervals.length === 0) return toCuts([{ start, end }]);
    if (fitsUrl(intervals)) return [{ kind: 'cut', class: 'body', start, end, intervals, recordsFrom }];
    if (isRestricted !== true) return toCuts([{ start, end }]);
    throw new HtsgetError('PayloadTooLarge', `more than ${MAX_INTERVALS} separate regions of a file without an index`);
  });
}

function scannedBytes(cuts: readonly CutSegment[]): number {
  return cuts
    .filter(({ intervals }) => intervals !== undefined)
    .reduce((bytes, { start, end }) => bytes + end.coffset - start.coffset, 0);
}

/** Cuts of all records of some chunks, with what lies in small gaps between them. */
function toCuts(chunks: readonly Chunk[], gapBytes?: number): CutSegment[] {
  return mergeChunks(chunks, { maxGap: gapBytes }).map(({ start, end }) => ({
    kind: 'cut',
    class: 'body',
    start,
    end,
  }));
}

function wholeBody(file: BgzfFile): Chunk {
  return { start: file.firstRecord, end: file.end };
}

/** In a coordinate-sorted file every record behind the last placed one is unplaced. */
function unplacedChunk(file: BgzfFile, index: BinningIndex): Chunk {
  return { start: index.lastPlacedEnd() ?? file.firstRecord, end: file.end };
}

/**
 * An index that points outside the records must not make the header, or the EOF marker, part of the body. Where it knows of
 * records that the file does not have, the file is not whole, and what is there no answer.
 */
function clipToBody(cut: CutSegment, file: BgzfFile): CutSegment[] {
  checkInFile(later(cut.start, cut.end), file);
  const clipped = { ...cut, start: later(cut.start, file.firstRecord), end: earlier(cut.end, file.end) };
  return compareVirtualOffsets(clipped.start, clipped.end) < 0 ? [clipped] : [];
}

/** The end of the file is in it, whether or not an EOF marker stands there. */
function checkInFile(offset: VirtualOffset, file: BgzfFile): void {
  if (compareVirtualOffsets(offset, { coffset: file.size, uoffset: 0 }) <= 0) return;
  throw new IndexError('INVALID_DATA', 'the index points behind the end of the file', { offset: 0 });
}

function earlier(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? a : b;
}
