import { compareVirtualOffsets } from '@htskit/bgzf';
import { findBlock, MAX_BLOCK_SIZE } from '@htskit/bgzf/internal';
import type { BinningIndex } from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import type { CutSegment, Segment } from '../plan/plan.js';
import { keepsBlocks, keepsRecords, type SegmentFormat } from './segment-stream.js';

export interface SplitOptions extends ReadOptions, SegmentFormat {
  /** The maximum number of compressed bytes of a segment, at least 128 KiB: a block may have half of that. */
  readonly blockBytes: number;
  /**
   * The maximum number of compressed bytes of a segment whose records are filtered, rewritten or inflated. Its length is unknown
   * before it is sent, so that a client whose connection breaks requests all of it again. Default `blockBytes`.
   */
  readonly transformedBytes?: number;
  /**
   * Returns the offset of the first block after byte `from`, which `find` searches for. May cache it: it depends only on the
   * file.
   */
  readonly findBoundary?: (from: number, find: FindBoundary) => Promise<number | undefined>;
  /** Knows where records begin: cuts that are filtered or rewritten are split only there. */
  readonly index?: Pick<BinningIndex, 'splitAt'>;
}

type FindBoundary = () => Promise<number | undefined>;

/** The maximum number of boundaries that are searched for at the same time. */
const CONCURRENCY = 8;

/**
 * Splits long cuts into several that end where blocks do, so that clients can fetch them one at a time and resume in the
 * middle. Cuts whose records are filtered or rewritten end where the index knows a record to begin, and stay whole without an
 * index.
 */
export async function splitLongSegments(
  segments: readonly Segment[],
  source: ByteSource,
  options: SplitOptions,
): Promise<readonly Segment[]> {
  const parts: Segment[] = [];
  for (const segment of segments) {
    if (segment.kind !== 'cut') {
      parts.push(segment);
      continue;
    }
    const blockBytes = keepsBlocks(segment, options) ? options.blockBytes : maxTransformedBytes(options);
    if (segment.end.coffset - segment.start.coffset <= blockBytes) parts.push(segment);
    else if (keepsRecords(segment, options)) {
      parts.push(...(await splitAtBlocks(segment, source, { ...options, blockBytes })));
    } else parts.push(...splitAtRecords(segment, { ...options, blockBytes }));
  }
  return parts;
}

function maxTransformedBytes({ blockBytes, transformedBytes = blockBytes }: SplitOptions): number {
  return Math.min(blockBytes, transformedBytes);
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
  const { findBoundary = (_, find: FindBoundary) => find(), blockBytes, version, signal } = options;
  const readOptions = { version, signal };
  // Multiples of one number, whatever the region, so that a few boundaries of a file serve all its tickets.
  const step = Math.max(MAX_BLOCK_SIZE, blockBytes - MAX_BLOCK_SIZE);
  const parts: CutSegment[] = [];
  let { start } = cut;
  for (let from = nextMultiple(start.coffset, step); from < cut.end.coffset; from += CONCURRENCY * step) {
    const offsets = Array.from({ length: CONCURRENCY }, (_, i) => from + i * step);
    const boundaries = await Promise.all(
      offsets
        .filter((offset) => offset < cut.end.coffset)
        .map((offset) =>
          findBoundary(offset, () => findBlock(source, offset, { ...readOptions, end: offset + 3 * MAX_BLOCK_SIZE })),
        ),
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

/** Returns the first multiple of `step` after `byte`. */
function nextMultiple(byte: number, step: number): number {
  return (Math.floor(byte / step) + 1) * step;
}
