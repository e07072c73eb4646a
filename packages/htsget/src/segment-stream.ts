import { deflateBlocks, inflateRange, readChunks, streamCut } from '@htskit/bgzf';
import type { HtsgetFormat } from '@htskit/protocol';
import type { ByteSource, ReadOptions } from '@htskit/storage';
import type { CutSegment, Plan, ReferenceInterval, Segment } from './plan.js';
import { type BgzfFormat, RECORD_FORMATS, type RecordFilter, type RecordInterval } from './record-format.js';

/** Uncompressed bytes that are gathered before they are compressed: four full blocks. */
const BATCH_BYTES = 4 * 0xff00;

/** The bytes of a whole plan, in order: a complete file. `source` is the file that the plan was made for. */
export async function* streamPlan(
  plan: Plan,
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array, void> {
  yield* streamSegments(plan.segments, source, { ...options, format: plan.format });
}

export interface SegmentStreamOptions extends ReadOptions {
  /** The format of the answer. */
  readonly format: HtsgetFormat;
}

/** The bytes of some segments of a plan, in order. Cancelling the iteration cancels the read. */
export async function* streamSegments(
  segments: readonly Segment[],
  source: ByteSource,
  { format, ...options }: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  for (const segment of segments) {
    if (segment.kind === 'inline') yield segment.bytes;
    else if (segment.kind === 'range')
      yield* readChunks(source.stream({ start: segment.start, end: segment.end }, options));
    else yield* streamCutSegment(segment, source, { ...options, format });
  }
}

/** Bytes that `streamSegments` will yield, or undefined where only doing it would tell. */
export function segmentsByteLength(segments: readonly Segment[], format: HtsgetFormat): number | undefined {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'inline') byteLength += segment.bytes.length;
    else if (segment.kind === 'range') byteLength += segment.end - segment.start;
    else if (isPassedThrough(segment, format)) byteLength += segment.end.coffset - segment.start.coffset;
    else return undefined;
  }
  return byteLength;
}

function isPassedThrough({ start, end, intervals }: CutSegment, format: HtsgetFormat): boolean {
  return format !== 'VCFTEXT' && intervals === undefined && start.uoffset === 0 && end.uoffset === 0;
}

async function* streamCutSegment(
  { start, end, intervals, recordsFrom }: CutSegment,
  source: ByteSource,
  { format, ...options }: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  if (intervals === undefined && format !== 'VCFTEXT') {
    yield* streamCut(source, { start, end }, options);
    return;
  }
  const data = inflateRange(source, { start, end }, options);
  const records =
    intervals === undefined
      ? piecesOf(data)
      : filterRecords(data, RECORD_FORMATS[storedFormat(format)].createFilter(recordIntervals(intervals, recordsFrom)));
  yield* inBatches(records, format === 'VCFTEXT' ? (batch) => batch.slice() : (batch) => deflateBlocks(batch));
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

interface Piece {
  readonly data: Uint8Array;
}

async function* piecesOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array, void> {
  for await (const { data } of pieces) yield data;
}

async function* filterRecords(pieces: AsyncIterable<Piece>, filter: RecordFilter): AsyncGenerator<Uint8Array, void> {
  for await (const { data } of pieces) yield* filter.push(data);
  yield* filter.finish();
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
