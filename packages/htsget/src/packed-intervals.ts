import { toAsciiJson } from '@htskit/http';
import type { ReferenceInterval } from './plan.js';

/** For each reference its id and its name, then starts and ends in turn: short, since block URLs carry them. */
export type PackedIntervals = readonly (readonly [referenceId: number, referenceName: string, ...bounds: number[]])[];

/** Intervals of one reference that follow one another name it once. */
export function packIntervals(intervals: readonly ReferenceInterval[]): PackedIntervals {
  const packed: [number, string, ...number[]][] = [];
  for (const { referenceId, referenceName, start, end } of intervals) {
    const last = packed.at(-1);
    if (last?.[0] === referenceId && last[1] === referenceName) last.push(start, end);
    else packed.push([referenceId, referenceName, start, end]);
  }
  return packed;
}

/** The inverse of `packIntervals`. */
export function unpackIntervals(packed: PackedIntervals): ReferenceInterval[] {
  return packed.flatMap(([referenceId, referenceName, ...bounds]) =>
    Array.from({ length: bounds.length / 2 }, (_, rank) => {
      const [start = 0, end = 0] = bounds.slice(2 * rank);
      return { referenceId, referenceName, start, end };
    }),
  );
}

/** Characters of the intervals in a block URL, about. */
export function packedLength(intervals: readonly ReferenceInterval[]): number {
  return (toAsciiJson(packIntervals(intervals)).length * 4) / 3;
}
