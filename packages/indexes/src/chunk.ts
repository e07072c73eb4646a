import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';

/** A half-open run of records in a BGZF file (SAMv1 §5.2). */
export interface Chunk {
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
}

export interface MergeOptions {
  /**
   * Joins also chunks between which at most so many compressed bytes lie, counted from the start of the block in which
   * the first one ends to that of the block in which the next one begins: what one read more would cost. By default none.
   */
  readonly maxGap?: number | undefined;
}

/** Sorts chunks and joins those that overlap or touch; empty ones are dropped. */
export function mergeChunks(chunks: readonly Chunk[], { maxGap }: MergeOptions = {}): Chunk[] {
  const sorted = chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .sort((a, b) => compareVirtualOffsets(a.start, b.start));
  const merged: Chunk[] = [];
  for (const chunk of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !joins(last, chunk, maxGap)) merged.push(chunk);
    else if (compareVirtualOffsets(last.end, chunk.end) < 0) {
      merged[merged.length - 1] = { start: last.start, end: chunk.end };
    }
  }
  return merged;
}

function joins({ end }: Chunk, { start }: Chunk, maxGap: number | undefined): boolean {
  return compareVirtualOffsets(end, start) >= 0 || (maxGap !== undefined && start.coffset - end.coffset <= maxGap);
}
