import type { VirtualOffset } from '@htskit/bgzf';
import * as fc from 'fast-check';
import type { RegionQuery } from '../../src/index.js';
import type { IndexedRecord, WriterHabits } from './write-index.js';

/** Number of references in an arbitrary file. */
export const REFERENCE_COUNT = 3;

const SPAN = 2 ** 29;
const FIRST_COFFSET = 3000;

/** Positions near the edges of bins, mostly of the first few, so that the linear index stays short. */
const position: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.nat(200_000) },
  { weight: 8, arbitrary: leafEdges(80) },
  { weight: 1, arbitrary: leafEdges(2 ** 15) },
);

const length: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: SPAN }) },
);

function leafEdges(leaves: number): fc.Arbitrary<number> {
  return fc
    .tuple(fc.nat(leaves - 1), fc.integer({ min: -2, max: 2 }))
    .map(([leaf, shift]) => Math.min(Math.max(leaf * 2 ** 14 + shift, 0), SPAN - 1));
}

const placement = fc.record({
  referenceId: fc.nat(REFERENCE_COUNT - 1),
  baseStart: position,
  length,
  isUnmapped: fc.boolean(),
  bytes: fc.integer({ min: 36, max: 400 }),
});

/** The records of a coordinate-sorted file with blocks of arbitrary sizes. A few records have no reference. */
export const sortedRecords: fc.Arbitrary<IndexedRecord[]> = fc
  .record({
    placements: fc.array(placement, { maxLength: 60 }),
    unplaced: fc.nat(3),
    blockBytes: fc.integer({ min: 50, max: 2000 }),
    coffsetStep: fc.constantFrom(60, 20_000, 70_000, 2 ** 33),
  })
  .map(({ placements, unplaced, blockBytes, coffsetStep }) => {
    let cursor = 0;
    const locate = (at: number): VirtualOffset => ({
      coffset: FIRST_COFFSET + Math.floor(at / blockBytes) * coffsetStep,
      uoffset: at % blockBytes,
    });
    const advance = (bytes: number): { start: VirtualOffset; end: VirtualOffset } => {
      const start = locate(cursor);
      cursor += bytes;
      return { start, end: locate(cursor) };
    };
    const placed = placements
      .sort((a, b) => a.referenceId - b.referenceId || a.baseStart - b.baseStart)
      .map(({ referenceId, baseStart, isUnmapped, bytes, ...record }) => {
        const baseEnd = isUnmapped ? baseStart + 1 : Math.min(baseStart + record.length, SPAN);
        return { referenceId, baseStart, baseEnd, isUnmapped, ...advance(bytes) };
      });
    const rest = Array.from({ length: unplaced }, () => {
      return { referenceId: -1, baseStart: -1, baseEnd: 0, isUnmapped: true, ...advance(100) };
    });
    return [...placed, ...rest];
  });

export const writerHabits: fc.Arbitrary<WriterHabits> = fc.record({
  mergesSmallBins: fc.boolean(),
  indexesUnmapped: fc.boolean(),
  emptyWindows: fc.constantFrom('zero', 'previous', 'next'),
  hasPseudoBin: fc.boolean(),
  hasLinearIndex: fc.boolean(),
  binOrder: fc.constantFrom(
    (number: number) => number,
    (number: number) => -number,
    (number: number) => (number * 40_503) % 65_537,
  ),
});

export const regionQuery: fc.Arbitrary<RegionQuery> = fc
  .record({ referenceId: fc.nat(REFERENCE_COUNT - 1), start: position, length })
  .map(({ referenceId, start, ...region }) => ({ referenceId, start, end: start + region.length }));
