import type { VirtualOffset } from '@htskit/bgzf';
import type { Chunk } from '../../src/index.js';

/** A half-open range of bytes or ordinals. */
export type Range = readonly [start: number, end: number];

/** Converts chunks to sorted ranges and joins those that overlap or touch. */
export function toRanges(chunks: readonly Chunk[], locate: (offset: VirtualOffset) => number): Range[] {
  const ranges: Range[] = [];
  const sorted = chunks
    .map(({ start, end }): Range => [locate(start), locate(end)])
    .filter(([start, end]) => start < end)
    .sort(([a], [b]) => a - b);
  for (const [start, end] of sorted) {
    const last = ranges.at(-1);
    if (last === undefined || last[1] < start) ranges.push([start, end]);
    else ranges[ranges.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return ranges;
}

/** Whether one of the ranges contains another range. */
export function holdsRange(ranges: readonly Range[], [start, end]: Range): boolean {
  return ranges.some((range) => range[0] <= start && end <= range[1]);
}

/** Returns the total length of the ranges. */
export function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}
