import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CraiIndex, type CraiSlice, formatCrai, parseCrai, type RegionQuery } from '../../src/index.js';

function build(slices: readonly CraiSlice[]): CraiIndex {
  return parseCrai(new TextEncoder().encode(formatCrai(slices)));
}

function sliceOf(
  referenceId: number,
  alignmentStart: number,
  alignmentSpan: number,
  containerStart: number,
): CraiSlice {
  return { referenceId, alignmentStart, alignmentSpan, containerStart, sliceOffset: 9, sliceSize: 50 };
}

/** Returns the starts of the containers of a query by examining every slice. */
function bruteForce(slices: readonly CraiSlice[], { referenceId, start, end }: RegionQuery): number[] {
  const found = slices.filter((slice) => {
    if (referenceId !== -1 && start >= end) return false;
    if (slice.referenceId !== referenceId) return slice.referenceId === -2;
    if (referenceId === -1 || slice.alignmentStart + slice.alignmentSpan === 0) return true;
    const baseStart = slice.alignmentStart - 1;
    return baseStart < end && baseStart + Math.max(1, slice.alignmentSpan) > start;
  });
  return [...new Set(found.map(({ containerStart }) => containerStart))].sort((a, b) => a - b);
}

describe('containers', () => {
  const index = build([
    sliceOf(0, 1, 100, 26),
    sliceOf(0, 51, 100, 26),
    sliceOf(0, 101, 100, 200),
    sliceOf(1, 1, 10, 200),
    sliceOf(1, 11, 10, 300),
    sliceOf(-1, 0, 0, 300),
    sliceOf(-1, 0, 0, 400),
  ]);

  test('of a region are those whose slices overlap it, once each, joined if adjacent', () => {
    expect(index.containers({ referenceId: 0, start: 0, end: 1 })).toEqual([{ start: 26, end: 200 }]);
    expect(index.containers({ referenceId: 0, start: 100, end: 101 })).toEqual([{ start: 26, end: 300 }]);
    expect(index.containers({ referenceId: 0, start: 150, end: 151 })).toEqual([{ start: 200, end: 300 }]);
    expect(index.containers({ referenceId: 0, start: 200, end: 300 })).toEqual([]);
    expect(index.containers({ referenceId: 1, start: 9, end: 11 })).toEqual([{ start: 200, end: 400 }]);
  });

  test('the edges of slices are exact to one base', () => {
    const starts = (start: number, end: number): number[] =>
      index.containers({ referenceId: 1, start, end }).map((range) => range.start);
    expect([starts(0, 10), starts(10, 11), starts(19, 20), starts(20, 21)]).toEqual([[200], [300], [300], []]);
  });

  test('of unplaced records are all that contain some, and the last one has no end', () => {
    expect(index.containers({ referenceId: -1 })).toEqual([{ start: 300, end: undefined }]);
    expect(index.containers({ referenceId: -1, start: 7, end: 9 })).toEqual([{ start: 300, end: undefined }]);
  });

  test('of several queries are one list', () => {
    const queries = [
      { referenceId: -1 },
      { referenceId: 0, start: 0, end: 9 },
      { referenceId: 0, start: 5, end: 7 },
    ] as const;
    expect(index.containers(queries)).toEqual([
      { start: 26, end: 200 },
      { start: 300, end: undefined },
    ]);
    expect(index.containers(queries, { maxGap: 99 })).toHaveLength(2);
    expect(index.containers(queries, { maxGap: 100 })).toEqual([{ start: 26, end: undefined }]);
    expect(index.containers([])).toEqual([]);
  });

  test('of an empty region and of a reference without slices do not exist', () => {
    for (const [start, end] of [
      [5, 5],
      [6, 5],
      [Number.NaN, 9],
      [0, Number.NaN],
    ] as const) {
      expect(index.containers({ referenceId: 0, start, end })).toEqual([]);
    }
    for (const referenceId of [2, 1.5, Number.NaN, -3]) {
      expect(index.containers({ referenceId, start: 0, end: 9 })).toEqual([]);
    }
  });

  test('a slice without a span is one base long, and one without start and span may be anywhere', () => {
    const odd = build([sliceOf(0, 0, 0, 26), sliceOf(1, 5, 0, 100), sliceOf(1, 0, 3, 200)]);
    const starts = (referenceId: number, start: number): number[] =>
      odd.containers({ referenceId, start, end: start + 1 }).map((range) => range.start);
    expect(starts(0, 1_000_000)).toEqual([26]);
    expect([starts(1, 3), starts(1, 4), starts(1, 5)]).toEqual([[], [100], []]);
    expect([starts(1, 1), starts(1, 2)]).toEqual([[200], []]);
  });

  test('a slice of unknown references belongs to each query', () => {
    const index = build([sliceOf(0, 1, 9, 26), sliceOf(-2, 0, 0, 100)]);
    expect(index.containers({ referenceId: 7, start: 0, end: 1 })).toEqual([{ start: 100, end: undefined }]);
    expect(index.containers({ referenceId: -1 })).toEqual([{ start: 100, end: undefined }]);
    expect(index.referenceIds).toEqual([0]);
  });

  test('equal those found by examining every slice', () => {
    const slice = fc.record({
      referenceId: fc.integer({ min: -2, max: 2 }),
      alignmentStart: fc.nat(200),
      alignmentSpan: fc.oneof({ weight: 9, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: fc.nat(300) }),
      containerStart: fc.nat(60).map((index) => 26 + 100 * index),
      sliceOffset: fc.constant(1),
      sliceSize: fc.constant(2),
    });
    const query = fc.record({
      referenceId: fc.integer({ min: -1, max: 3 }),
      start: fc.integer({ min: -2, max: 250 }),
      end: fc.integer({ min: -2, max: 250 }),
    });
    fc.assert(
      fc.property(fc.array(slice, { maxLength: 200 }), fc.array(query, { maxLength: 5 }), (slices, queries) => {
        const index = build(slices);
        const starts = [...new Set(slices.map(({ containerStart }) => containerStart))].sort((a, b) => a - b);
        const expected = new Set(queries.flatMap((query) => bruteForce(slices, query)));
        const ranges = index.containers(queries.length === 1 && queries[0] !== undefined ? queries[0] : queries);
        const found = starts.filter((start) =>
          ranges.some((range) => range.start <= start && start < (range.end ?? Number.POSITIVE_INFINITY)),
        );
        expect(found).toEqual([...expected].sort((a, b) => a - b));
        for (const [i, { end }] of ranges.entries()) {
          const next = ranges[i + 1];
          expect(next === undefined || (end !== undefined && end < next.start)).toBe(true);
        }
      }),
      { numRuns: volume(1000) },
    );
  });

  test('are found without examining the others, wherever a long slice begins', () => {
    const buildLong = (count: number): CraiIndex => {
      const long = Array.from({ length: 10 }, (_, i) => sliceOf(0, 1 + i, 100 * count, 26 + i));
      const short = Array.from({ length: count }, (_, i) => sliceOf(0, 100 + 100 * i, 120, 1000 + 100 * i));
      return build([...long, ...short]);
    };
    const query = (index: CraiIndex): void => {
      const count = index.containerCount - 10;
      for (let i = 0; i < 2_000; i++) {
        const container = (i * 7919) % (count - 1);
        const start = 150 + 100 * container;
        const ranges = index.containers({ referenceId: 0, start, end: start + 10 });
        if (ranges.at(-1)?.end !== 1000 + 100 * (container + 1)) throw new Error(`wrong end of container ${container}`);
      }
    };
    // Queries of an index of any size take about as long, so the cost grows by a fraction of the size.
    expect(excessGrowth(buildLong, query, { size: 2_000, factor: 64 })).toBeLessThan(0.25);
  });
});
