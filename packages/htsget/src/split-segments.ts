import { compareVirtualOffsets, findBlock, MAX_BLOCK_SIZE } from '@htskit/bgzf';
import type { BinningIndex } from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import type { CutSegment, Segment } from './plan.js';
import { keepsRecords, type SegmentFormat } from './segment-stream.js';

export interface SplitOptions extends ReadOptions, Pick<SegmentFormat, 'rewriting'> {
  /** Compressed bytes that a segment may have; at least 128 KiB, since a block may have half of that. */
  readonly blockBytes: number;
  /** Finds the first block behind byte `from` by `find`, or remembers it: it depends on the file alone. */
  readonly remember?: (from: number, find: FindBoundary) => Promise<number | undefined>;
  /** Knows where records begin: what is not sent as it is can be split only there. */
  readonly index?: Pick<BinningIndex, 'splitAt'> | undefined;
}

type FindBoundary = () => Promise<number | undefined>;

/** Boundaries that are looked for at the same time. */
const CONCURRENCY = 8;

/**
 * The same segments, with long ones as several that end where blocks do, so that clients can fetch them in turn and begin
 * again in the middle. Those whose records are filtered or rewritten end where the index knows a record to begin, and stay
 * whole without one.
 */
export async function splitLongSegments(
  segments: readonly Segment[],
  source: ByteSource,
  options: SplitOptions,
): Promise<readonly Segment[]> {
  const parts: Segment[] = [];
  for (const segment of segments) {
    if (!isLong(segment, options)) parts.push(segment);
    else if (keepsRecords(segment, options)) parts.push(...(await splitAtBlocks(segment, source, options)));
    else parts.push(...splitAtRecords(segment, options));
  }
  return parts;
}

function isLong(segment: Segment, { blockBytes }: SplitOptions): segment is CutSegment {
  return segment.kind === 'cut' && segment.end.coffset - segment.start.coffset > blockBytes;
}

function splitAtRecords(cut: CutSegment, { index, blockBytes }: SplitOptions): CutSegment[] {
  const parts: CutSegment[] = [];
  let { start } = cut;
  while (cut.end.coffset - start.coffset > blockBytes) {
    const end = index?.splitAt(start, blockBytes);
    if (end === undefined || compareVirtualOffsets(end, cut.end) >= 0) break;
    parts.push({ ...cut, start, end });
    start = end;
  }
  parts.push({ ...cut, start });
  return parts;
}

async function splitAtBlocks(cut: CutSegment, source: ByteSource, options: SplitOptions): Promise<CutSegment[]> {
  const { remember = (_, find: FindBoundary) => find(), blockBytes, ...readOptions } = options;
  // Multiples of one number, whatever is asked for, so that a few boundaries of a file serve all its tickets.
  const step = Math.max(MAX_BLOCK_SIZE, blockBytes - MAX_BLOCK_SIZE);
  const parts: CutSegment[] = [];
  let { start } = cut;
  for (let from = nextMultiple(start.coffset, step); from < cut.end.coffset; from += CONCURRENCY * step) {
    const wanted = Array.from({ length: CONCURRENCY }, (_, rank) => from + rank * step);
    const boundaries = await Promise.all(
      wanted
        .filter((at) => at < cut.end.coffset)
        .map(async (at) => remember(at, () => findBlock(source, at, { ...readOptions, end: at + 3 * MAX_BLOCK_SIZE }))),
    );
    for (const coffset of boundaries) {
      if (coffset === undefined || coffset <= start.coffset || coffset >= cut.end.coffset) continue;
      const end = { coffset, uoffset: 0 };
      parts.push({ ...cut, start, end });
      start = end;
    }
  }
  parts.push({ ...cut, start });
  return parts;
}

/** The first multiple of `step` behind `byte`. */
function nextMultiple(byte: number, step: number): number {
  return (Math.floor(byte / step) + 1) * step;
}
