import { deflateBlocks, inflateRange, streamCut } from '@htskit/bgzf';
import type { ByteSource, ReadOptions } from '@htskit/io';
import { readChunks } from '@htskit/io';
import type { HtsgetFormat } from '@htskit/protocol';
import type { CutSegment, Plan, ReferenceInterval, Rewriting, Segment } from './plan.js';
import { type BgzfFormat, RECORD_FORMATS, type RecordInterval, type RecordPieces } from './record-format.js';
import { pipeRecords } from './record-pipeline.js';

/** Uncompressed bytes that are gathered before they are compressed: four full blocks. */
const BATCH_BYTES = 4 * 0xff00;

export interface StreamPlanOptions extends ReadOptions {
  /** Of what is compressed anew: 0 (not at all) to 9 (most). Default 6. */
  readonly compressionLevel?: number | undefined;
}

/** The bytes of a whole plan, in order: a complete file. `source` is the file that the plan was made for. */
export async function* streamPlan(
  { format, segments, rewriting }: Plan,
  source: ByteSource,
  options: StreamPlanOptions = {},
): AsyncGenerator<Uint8Array, void> {
  yield* streamSegments(segments, source, { ...options, format, rewriting });
}

/** How the segments of a plan are sent. */
export interface SegmentFormat {
  /** The format of the answer. */
  readonly format: HtsgetFormat;
  readonly rewriting?: Rewriting | undefined;
}

export interface SegmentStreamOptions extends StreamPlanOptions, SegmentFormat {}

/** The bytes of some segments of a plan, in order. Cancelling the iteration cancels the read. */
export async function* streamSegments(
  segments: readonly Segment[],
  source: ByteSource,
  options: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  for (const segment of segments) {
    if (segment.kind === 'inline') yield segment.bytes;
    else if (segment.kind === 'range')
      yield* readChunks(source.stream({ start: segment.start, end: segment.end }, options));
    else yield* streamCutSegment(segment, source, options);
  }
}

/** Bytes that `streamSegments` will yield, or undefined where only doing it would tell. */
export function segmentsByteLength(segments: readonly Segment[], options: SegmentFormat): number | undefined {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'inline') byteLength += segment.bytes.length;
    else if (segment.kind === 'range') byteLength += segment.end - segment.start;
    else if (isPassedThrough(segment, options)) byteLength += segment.end.coffset - segment.start.coffset;
    else return undefined;
  }
  return byteLength;
}

/** Whether the data of a cut are sent as they are, compressed or not. */
export function keepsRecords(
  { intervals, class: part }: CutSegment,
  { rewriting }: Pick<SegmentFormat, 'rewriting'>,
): boolean {
  return intervals === undefined && (rewriting === undefined || part === 'header');
}

/** Whether they are sent as BGZF, too, so that whole blocks need not be read. */
export function keepsBlocks(cut: CutSegment, { format, rewriting }: SegmentFormat): boolean {
  return format !== 'VCFTEXT' && keepsRecords(cut, { rewriting });
}

function isPassedThrough(cut: CutSegment, options: SegmentFormat): boolean {
  return keepsBlocks(cut, options) && cut.start.uoffset === 0 && cut.end.uoffset === 0;
}

async function* streamCutSegment(
  cut: CutSegment,
  source: ByteSource,
  { format, rewriting, compressionLevel: level, ...options }: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const { start, end } = cut;
  if (keepsBlocks(cut, { format, rewriting })) {
    yield* streamCut(source, { start, end }, { ...options, level });
    return;
  }
  const spans = inflateRange(source, { start, end }, options);
  const pieces = pipeRecords(spans, createStages(cut, { format, rewriting }));
  yield* inBatches(pieces, (batch) => (format === 'VCFTEXT' ? batch.slice() : deflateBlocks(batch, { level })));
}

function createStages(
  { intervals, recordsFrom, class: part }: CutSegment,
  { format, rewriting }: SegmentFormat,
): RecordPieces[] {
  const records = RECORD_FORMATS[storedFormat(format)];
  return [
    ...(intervals === undefined ? [] : [records.createFilter(recordIntervals(intervals, recordsFrom))]),
    ...(rewriting === undefined || part === 'header' ? [] : [records.createRewriter(rewriting)]),
  ];
}

function recordIntervals(
  [first, ...others]: readonly ReferenceInterval[],
  recordsFrom: number | undefined,
): readonly RecordInterval[] {
  return first === undefined ? [] : [{ ...first, recordsFrom }, ...others];
}

/** Segments with records are of no other format. */
function storedFormat(format: HtsgetFormat): BgzfFormat {
  if (format === 'CRAM') throw new TypeError('CRAM has no cuts');
  return format === 'VCFTEXT' ? 'VCF' : format;
}

/** Full blocks, however small the pieces are. They are copied, so that no piece keeps the block alive that it is of. */
async function* inBatches(
  pieces: AsyncIterable<Uint8Array>,
  toBytes: (batch: Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  const batch = new Uint8Array(BATCH_BYTES);
  let byteLength = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BATCH_BYTES - byteLength);
      batch.set(part, byteLength);
      byteLength += part.length;
      at += part.length;
      if (byteLength < BATCH_BYTES) continue;
      yield toBytes(batch);
      byteLength = 0;
    }
  }
  if (byteLength > 0) yield toBytes(batch.subarray(0, byteLength));
}
