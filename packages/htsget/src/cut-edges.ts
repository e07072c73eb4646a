import type { CutSegment, RangeSegment } from './plan.js';

/** A cut as the parts that it is made of, in order. */
export type CutParts = readonly (CutSegment | RangeSegment)[];

/**
 * The parts of a cut that keeps all records: whole blocks, which are bytes of the stored object as they are, and in front of
 * and behind them the edges, which lie in one block each and are to be re-blocked. `firstBlockEnd` is where the block ends
 * that the cut begins in. A cut that does not fit its blocks stays as it is, for those who read it to find out.
 */
export function splitAtEdges(cut: CutSegment, firstBlockEnd: number): CutParts {
  const { start, end } = cut;
  const middleStart = start.uoffset > 0 ? firstBlockEnd : start.coffset;
  if (start.coffset === end.coffset || middleStart > end.coffset) return [cut];
  const parts: (CutSegment | RangeSegment)[] = [];
  if (start.uoffset > 0) parts.push({ ...cut, end: { coffset: middleStart, uoffset: 0 } });
  if (middleStart < end.coffset) {
    parts.push({ kind: 'range', class: cut.class, start: middleStart, end: end.coffset });
  }
  if (end.uoffset > 0) parts.push({ ...cut, start: { coffset: end.coffset, uoffset: 0 } });
  return parts;
}
