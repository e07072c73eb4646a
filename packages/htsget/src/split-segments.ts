import { findBlock, MAX_BLOCK_SIZE } from '@htskit/bgzf';
import type { ByteSource, ReadOptions } from '@htskit/storage';
import type { CutSegment, Segment } from './plan.js';

export interface SplitOptions extends ReadOptions {
  /** Compressed bytes that a segment may have. */
  readonly blockBytes: number;
}

/**
 * The same segments, with long ones as several that end where blocks do, so that clients can fetch them in turn and begin
 * again in the middle. Those whose records are filtered stay whole: they are short where it matters.
 */
export async function splitLongSegments(
  segments: readonly Segment[],
  source: ByteSource,
  options: SplitOptions,
): Promise<readonly Segment[]> {
  const isLong = (segment: Segment): segment is CutSegment =>
    segment.kind === 'cut' &&
    segment.intervals === undefined &&
    segment.end.coffset - segment.start.coffset > options.blockBytes;
  if (!segments.some(isLong)) return segments;
  const parts = await Promise.all(
    segments.map(async (segment) => (isLong(segment) ? splitCut(segment, source, options) : [segment])),
  );
  return parts.flat();
}

async function splitCut(
  cut: CutSegment,
  source: ByteSource,
  { blockBytes, ...options }: SplitOptions,
): Promise<CutSegment[]> {
  const parts: CutSegment[] = [];
  let { start } = cut;
  while (cut.end.coffset - start.coffset > blockBytes) {
    const from = start.coffset + Math.max(1, blockBytes - MAX_BLOCK_SIZE);
    const coffset = await findBlock(source, from, { ...options, end: cut.end.coffset });
    if (coffset === undefined) break;
    const end = { coffset, uoffset: 0 };
    parts.push({ ...cut, start, end });
    start = end;
  }
  parts.push({ ...cut, start });
  return parts;
}
