import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BinningIndex, type Chunk, parseBai, parseCsi } from '../../src/index.js';
import { buildBai, chunkOf } from '../support/build-bai.js';
import { buildCsi } from '../support/build-csi.js';

const MIN_SHIFT = 14;
/** The deepest level whose bins are told apart. */
const DEEPEST = 6;

interface Bin {
  readonly level: number;
  readonly ordinal: number;
  readonly bytes: number;
}

const [ordinal, bytes] = [fc.oneof(fc.nat(9), fc.nat(5000)), fc.integer({ min: 1, max: 2 ** 36 })];
/** Bins of a scheme, each once. */
const scheme = fc.constantFrom(0, 1, 5, 7, 9).chain((depth) =>
  fc.record({
    depth: fc.constant(depth),
    bins: fc
      .array(fc.record({ level: fc.nat(depth), ordinal, bytes }), { maxLength: 12 })
      .map((bins) => bins.map((bin) => ({ ...bin, ordinal: bin.ordinal % 8 ** bin.level })))
      .map((bins) => [...new Map(bins.map((bin) => [`${bin.level}:${bin.ordinal}`, bin])).values()]),
  }),
);
const edges = fc.array(fc.integer({ min: 0, max: 2 ** 28 }), { maxLength: 8 }).map((inner) => {
  return Float64Array.of(-Infinity, ...inner.sort((a, b) => a - b), Infinity);
});

function numberOf({ level, ordinal: at }: Bin): number {
  return (8 ** level - 1) / 7 + at;
}

/** Distributes each bin on its own. Bins end with the last one of the smallest size that occurs. */
function expectedBytes(bins: readonly Bin[], depth: number, limits: Float64Array): Float64Array {
  const known = bins.map(({ level, ordinal: at, bytes: count }) => {
    const up = Math.max(0, level - DEEPEST);
    const span = 2 ** (MIN_SHIFT + 3 * (depth - level + up));
    return { level: level - up, start: Math.floor(at / 8 ** up) * span, span, bytes: count };
  });
  const smallest = Math.max(...known.map(({ level }) => level));
  const last = Math.max(...known.filter(({ level }) => level === smallest).map(({ start, span }) => start + span));
  const sums = new Float64Array(limits.length - 1);
  for (const { start, span, bytes: count } of known) {
    const end = start < last ? Math.min(start + span, last) : start + span;
    for (let i = 0; i < sums.length; i++) {
      const bases = Math.min(end, limits[i + 1] ?? 0) - Math.max(start, limits[i] ?? 0);
      if (bases > 0) sums[i] = (sums[i] ?? 0) + (count * bases) / (end - start);
    }
  }
  return sums;
}

test('distributes the bytes of each bin over its bases, and keeps nothing for the next reference', () => {
  fc.assert(
    fc.property(scheme, edges, ({ depth, bins }, limits) => {
      const stored = bins.map((bin) => {
        const loffset = { coffset: 0, uoffset: 0 };
        return { number: numberOf(bin), loffset, chunks: [chunkOf([7, 5], [7 + bin.bytes, 5])] };
      });
      const index = parseCsi(buildCsi([{ bins: stored }, {}, { bins: stored }], { minShift: MIN_SHIFT, depth }));
      const expected = expectedBytes(bins, depth, limits);
      const tolerance = 1e-9 * (1 + expected.reduce((sum, count) => sum + count, 0));
      for (const referenceId of [0, 2]) {
        const sums = index.bytesBetween(referenceId, limits);
        expect(sums).toHaveLength(expected.length);
        for (const [i, sum] of sums.entries()) {
          expect(sum).toBeGreaterThanOrEqual(0);
          expect(Math.abs(sum - (expected[i] ?? 0))).toBeLessThan(tolerance);
        }
        expect([...index.bytesBetween(1, limits)].every((sum) => sum === 0)).toBe(true);
      }
    }),
    { numRuns: volume(500) },
  );
});

function parseBaiOf(bins: readonly (readonly [number: number, chunks: readonly Chunk[]])[]): BinningIndex {
  return parseBai(buildBai([{ bins }]));
}

test('counts a part of a block by a quarter of its bytes, and no chunk that ends before it starts', () => {
  const index = parseBaiOf([
    [4681, [chunkOf([100, 0], [100, 400]), chunkOf([100, 800], [200, 0])]],
    [4682, [chunkOf([300, 0], [200, 0])]],
  ]);
  expect([...index.bytesBetween(0, Float64Array.of(0, 2 ** 14, 2 ** 15))]).toEqual([100 + 100 - 200, 0]);
});

test('edges that descend have nothing between them', () => {
  const index = parseBaiOf([[4681, [chunkOf([100, 0], [200, 0])]]]);
  expect([...index.bytesBetween(0, Float64Array.of(8192, 0, 2 ** 14))]).toEqual([0, 50]);
});
