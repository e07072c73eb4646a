import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';

/** A half-open run of records in a BGZF file (SAMv1 §5.2). */
export interface Chunk {
  readonly start: VirtualOffset;
  readonly end: VirtualOffset;
}

/** Sorts chunks and joins those that overlap or touch; empty ones are dropped. */
export function mergeChunks(chunks: readonly Chunk[]): Chunk[] {
  const sorted = chunks
    .filter(({ start, end }) => compareVirtualOffsets(start, end) < 0)
    .sort((a, b) => compareVirtualOffsets(a.start, b.start));
  const merged: Chunk[] = [];
  for (const chunk of sorted) {
    const last = merged.at(-1);
    if (last === undefined || compareVirtualOffsets(last.end, chunk.start) < 0) merged.push(chunk);
    else if (compareVirtualOffsets(last.end, chunk.end) < 0) {
      merged[merged.length - 1] = { start: last.start, end: chunk.end };
    }
  }
  return merged;
}
