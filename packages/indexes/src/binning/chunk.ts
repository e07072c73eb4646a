import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';

/** A half-open range of virtual offsets in a BGZF file that begins and ends at a record (SAMv1 §5.2). */
export interface Chunk {
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
}

/** Options of `mergeChunks`. */
export interface MergeOptions {
  /**
   * Joins also chunks that are at most this many compressed bytes apart, measured from the start of the block in which the
   * first chunk ends to the start of the block in which the next begins. Set it to the cost of one more read. By default only
   * chunks that overlap or touch are joined.
   */
  readonly maxGap?: number | undefined;
}

/**
 * Sorts chunks, drops empty ones, and joins those that overlap or touch.
 *
 * @example
 * const chunks = mergeChunks([...index.chunks(first), ...index.chunks(second)], { maxGap: 65_536 });
 */
export function mergeChunks(chunks: readonly Chunk[], { maxGap }: MergeOptions = {}): Chunk[] {
  const sorted = chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .sort((a, b) => compareVirtualOffsets(a.start, b.start));
  const merged: Chunk[] = [];
  for (const chunk of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !isJoined(last, chunk, maxGap)) merged.push(chunk);
    else if (compareVirtualOffsets(last.end, chunk.end) < 0) {
      merged[merged.length - 1] = { start: last.start, end: chunk.end };
    }
  }
  return merged;
}

function isJoined({ end }: Chunk, { start }: Chunk, maxGap: number | undefined): boolean {
  return compareVirtualOffsets(end, start) >= 0 || (maxGap !== undefined && start.coffset - end.coffset <= maxGap);
}
