import { deflateBlocks, inflateRange, streamCut } from '@htskit/bgzf';
import { BamRecordFilter } from '@htskit/formats';
import type { ByteSource, ReadOptions } from '@htskit/storage';
import type { CutSegment, Plan, Segment } from './plan.js';

/** Uncompressed bytes that are gathered before they are compressed into blocks. */
const DEFLATE_BATCH_BYTES = 1 << 20;

/** The bytes of a whole plan, in order: a complete file. `source` is the file that the plan was made for. */
export async function* streamPlan(
  plan: Plan,
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array, void> {
  yield* streamSegments(plan.segments, source, options);
}

/** The bytes of some segments of a plan, in order. Cancelling the iteration cancels the read. */
export async function* streamSegments(
  segments: readonly Segment[],
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array, void> {
  for (const segment of segments) {
    if (segment.kind === 'inline') yield segment.bytes;
    else yield* streamCutSegment(segment, source, options);
  }
}

/** Bytes that `streamSegments` will yield, or undefined where only doing it would tell. */
export function segmentsByteLength(segments: readonly Segment[]): number | undefined {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'inline') byteLength += segment.bytes.length;
    else if (segment.intervals !== undefined || segment.start.uoffset > 0 || segment.end.uoffset > 0) return undefined;
    else byteLength += segment.end.coffset - segment.start.coffset;
  }
  return byteLength;
}

function streamCutSegment(
  { start, end, intervals }: CutSegment,
  source: ByteSource,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  return intervals === undefined
    ? streamCut(source, { start, end }, options)
    : deflateInBatches(filterRecords(inflateRange(source, { start, end }, options), new BamRecordFilter(intervals)));
}

async function* filterRecords(
  pieces: AsyncIterable<{ readonly data: Uint8Array }>,
  filter: BamRecordFilter,
): AsyncGenerator<Uint8Array, void> {
  for await (const { data } of pieces) yield* filter.push(data);
  filter.finish();
}

/** Full blocks, however small the pieces are. */
async function* deflateInBatches(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let batch: Uint8Array[] = [];
  let byteLength = 0;
  for await (const piece of pieces) {
    batch.push(piece);
    byteLength += piece.length;
    if (byteLength < DEFLATE_BATCH_BYTES) continue;
    yield deflateBlocks(concatenate(batch, byteLength));
    batch = [];
    byteLength = 0;
  }
  if (byteLength > 0) yield deflateBlocks(concatenate(batch, byteLength));
}

function concatenate(pieces: readonly Uint8Array[], byteLength: number): Uint8Array {
  const whole = new Uint8Array(byteLength);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
