import { compareVirtualOffsets, EOF_MARKER, inflateBlocks, type VirtualOffset } from '@htskit/bgzf';
import { type KnownReferences, namedReferences, numberedReferences } from '@htskit/formats/internal';
import { type BinningIndex, type Chunk, IndexError } from '@htskit/indexes';
import { HtsgetError, UNPLACED } from '@htskit/protocol';
import type { BgzfFile } from '../file/bgzf-file.js';
import { RECORD_FORMATS } from '../file/record-format.js';
import { findIntervalChunks, groupIntervals, type IntervalChunk, joinNear, later, toQuery } from './interval-chunks.js';
import { fitsUrl, MAX_INTERVALS } from './packed-intervals.js';
import type { CutSegment, Plan, ReferenceInterval, Segment } from './plan.js';
import type { PlanInput } from './plan-input.js';
import { resolveRegions } from './reference-intervals.js';

type BgzfPlanInput = PlanInput<BgzfFile, BinningIndex>;

/**
 * Plans the answer to a query of a BAM, BCF or VCF file: one header, the selected records in file order, each once, and one
 * EOF marker. Throws `HtsgetError` NotFound for a reference that the file does not have, and PayloadTooLarge for a
 * restricted query with more separate intervals than one cut can filter without an index. Throws `IndexError` for an index
 * that contradicts the file.
 */
export function planBgzf(input: BgzfPlanInput): Plan {
  const { file, query, conversion, rewriting } = input;
  const { format = file.format } = query;
  const body = query.class === 'header' ? [] : planBody(input);
  const eof: Segment = { kind: 'inline', class: 'body', bytes: EOF_MARKER };
  const end = format === 'VCFTEXT' ? [] : [eof];
  return { format, segments: [planHeader(input), ...body, ...end], rewriting, conversion };
}

function planHeader({ file, query, conversion, rewriting, limits: { inlineBytes } }: BgzfPlanInput): Segment {
  const newHeader = conversion?.header ?? rewriting?.answerHeader;
  if (newHeader !== undefined) return planNewHeader(newHeader, inlineBytes);
  const { headerBlocks } = file;
  // A long header would be decompressed in one turn of the event loop.
  const isShort = headerBlocks.length <= inlineBytes;
  const bytes = isShort && query.format === 'VCFTEXT' ? inflateBlocks(headerBlocks) : headerBlocks;
  return bytes.length <= inlineBytes
    ? { kind: 'inline', class: 'header', bytes }
    : { kind: 'cut', class: 'header', start: { coffset: 0, uoffset: 0 }, end: file.firstRecord };
}

/** Plans a header that is not that of the file. */
export function planNewHeader(header: Uint8Array, inlineBytes: number): Segment {
  return header.length <= inlineBytes
    ? { kind: 'inline', class: 'header', bytes: header }
    : { kind: 'header', class: 'header' };
}

function planBody(input: BgzfPlanInput): CutSegment[] {
  const { file, index, query } = input;
  if (query.regions === undefined) return toCuts([wholeBody(file)]);
  const { intervals, unplaced } = resolveRegions(query, knownReferences(file, index));
  if (index === undefined) return planWithoutIndex(input, intervals, unplaced);
  const placed = planPlaced(input, index, intervals);
  const rest = unplaced ? planUnplaced(input, index) : [];
  return [...placed, ...rest].flatMap((cut) => clipToBody(cut, file));
}

function knownReferences({ format, header }: BgzfFile, index: BinningIndex | undefined): KnownReferences {
  const { referenceIds } = header;
  if (format === 'VCF') return namedReferences(referenceIds, index);
  return numberedReferences(referenceIds, { hasUnplaced: format === 'BAM' });
}

/** The protocol allows a superset, and only an index knows where the unplaced reads begin. */
function planWithoutIndex(
  input: BgzfPlanInput,
  intervals: readonly ReferenceInterval[],
  unplaced: boolean,
): CutSegment[] {
  const whole = wholeBody(input.file);
  if (unplaced && !input.isRestricted) return toCuts([whole]);
  const selected = unplaced ? [UNPLACED_INTERVAL, ...intervals] : intervals;
  return selected.length === 0 ? [] : filteredCuts(input, [{ ...whole, intervals: selected }]);
}

/** Selects the reads without a reference, whatever position they have, in a part that may hold other reads. */
export const UNPLACED_INTERVAL: ReferenceInterval = {
  referenceId: -1,
  referenceName: UNPLACED,
  start: -(2 ** 31),
  end: Number.MAX_SAFE_INTEGER,
};

/** Plans all that follows the last placed record. Some writers count no unplaced reads, so only a count of some is trusted. */
function planUnplaced(input: BgzfPlanInput, index: BinningIndex): readonly CutSegment[] {
  const chunk = unplacedChunk(input.file, index);
  const { unplacedCount = 0 } = index;
  checkInFile(chunk.start, input.file);
  if (compareVirtualOffsets(chunk.start, chunk.end) >= 0 && unplacedCount > 0) {
    throw new IndexError('INVALID_DATA', `index counts ${unplacedCount} unplaced reads, but the file has none`, {
      offset: 0,
    });
  }
  return input.isRestricted ? filteredCuts(input, [{ ...chunk, intervals: [UNPLACED_INTERVAL] }]) : toCuts([chunk]);
}

function planPlaced(
  input: BgzfPlanInput,
  index: BinningIndex,
  intervals: readonly ReferenceInterval[],
): readonly CutSegment[] {
  const { isRestricted, precision } = input;
  const { gapBytes, exactBytes } = input.limits;
  const chunks = joinNear(findIntervalChunks(index, intervals), gapBytes);
  if (!isRestricted && precision === 'chunks') return toCuts(chunks);
  return chunks.flatMap((chunk) => {
    const parts = splitForUrls(chunk, index, gapBytes);
    if (isRestricted) return filteredCuts(input, parts);
    const cuts = filteredCuts(
      input,
      parts.flatMap((part) => splitAtInteriors(part, index)),
    );
    const isExact = precision === 'exact' || scannedBytes(cuts) <= exactBytes * chunk.intervals.length;
    return isExact ? cuts : toCuts([chunk]);
  });
}

/** Returns parts of a chunk whose intervals fit into a block URL. They overlap if the chunk has too many intervals for one. */
function splitForUrls(chunk: IntervalChunk, index: BinningIndex, gapBytes: number): IntervalChunk[] {
  if (fitsUrl(chunk.intervals)) return [chunk];
  return groupIntervals(chunk.intervals, index).flatMap(({ intervals, recordsFrom }) =>
    joinNear(findIntervalChunks(index, intervals), gapBytes).map((part) => ({ ...part, recordsFrom })),
  );
}

/** The minimum number of compressed bytes of a part that is passed through untouched: re-blocking its edges must cost less. */
const LEAST_INTERIOR_BYTES = 2 * 65536;

/** Splits off the parts whose records all lie within an interval: they need no filter. */
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

/** Returns cuts that keep the records of their intervals, or all records if the intervals do not fit into a block URL. */
function filteredCuts({ file, index, isRestricted }: BgzfPlanInput, chunks: readonly IntervalChunk[]): CutSegment[] {
  const lengthKeys = RECORD_FORMATS[file.format].lengthKeys(file.header);
  return chunks.flatMap(({ start, end, intervals, recordsFrom }): CutSegment[] => {
    if (intervals.length === 0) return toCuts([{ start, end }]);
    if (fitsUrl(intervals)) {
      const cut = { kind: 'cut', class: 'body', start, end, intervals, recordsFrom, lengthKeys } as const;
      return [index === undefined ? { ...cut, isUnsorted: true } : cut];
    }
    if (!isRestricted) return toCuts([{ start, end }]);
    throw new HtsgetError('PayloadTooLarge', `more than ${MAX_INTERVALS} separate regions of a file without an index`);
  });
}

function scannedBytes(cuts: readonly CutSegment[]): number {
  return cuts
    .filter(({ intervals }) => intervals !== undefined)
    .reduce((bytes, { start, end }) => bytes + end.coffset - start.coffset, 0);
}

/** Returns cuts of all records of the chunks that are not empty. */
function toCuts(chunks: readonly Chunk[]): CutSegment[] {
  return chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .map(({ start, end }) => ({ kind: 'cut', class: 'body', start, end }));
}

function wholeBody(file: BgzfFile): Chunk {
  return { start: file.firstRecord, end: file.end };
}

/** In a coordinate-sorted file every record after the last placed one is unplaced. */
function unplacedChunk(file: BgzfFile, index: BinningIndex): Chunk {
  return { start: index.lastPlacedEnd() ?? file.firstRecord, end: file.end };
}

/**
 * Keeps the header and the EOF marker out of a cut. Throws `IndexError` if the index refers to an offset past the end of the
 * file: the file is truncated then, and its records would be an incomplete answer.
 */
function clipToBody(cut: CutSegment, file: BgzfFile): CutSegment[] {
  checkInFile(later(cut.start, cut.end), file);
  const start = later(cut.start, file.firstRecord);
  const end = earlier(cut.end, file.end);
  if (compareVirtualOffsets(start, end) >= 0) return [];
  return [start === cut.start && end === cut.end ? cut : { ...cut, start, end }];
}

/** The end of the file itself is a valid offset, with or without an EOF marker before it. */
function checkInFile(offset: VirtualOffset, { size }: BgzfFile): void {
  if (compareVirtualOffsets(offset, { coffset: size, uoffset: 0 }) <= 0) return;
  const message = `index refers to offset ${offset.coffset}, past the end of the file (${size} bytes)`;
  throw new IndexError('INVALID_DATA', message, { offset: 0 });
}

function earlier(a: VirtualOffset, b: VirtualOffset): VirtualOffset {
  return compareVirtualOffsets(a, b) < 0 ? a : b;
}
