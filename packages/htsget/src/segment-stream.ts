import { deflateBlocks, inflateRange, streamCut } from '@htskit/bgzf';
import { BamRecordFilter } from '@htskit/formats';
import type { ByteSource, ReadOptions } from '@htskit/storage';
import type { CutSegment, Plan, Segment } from './plan.js';

/** Uncompressed bytes that are gathered before they are compressed: four full blocks. */
const BATCH_BYTES = 4 * 0xff00;

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

/** Full blocks, however small the pieces are. They are copied, so that no piece keeps the block alive that it is of. */
async function* deflateInBatches(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const batch = new Uint8Array(BATCH_BYTES);
  let byteLength = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BATCH_BYTES - byteLength);
      batch.set(part, byteLength);
      byteLength += part.length;
      at += part.length;
      if (byteLength < BATCH_BYTES) continue;
      yield deflateBlocks(batch);
      byteLength = 0;
    }
  }
  if (byteLength > 0) yield deflateBlocks(batch.subarray(0, byteLength));
}
