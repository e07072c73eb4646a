import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UCSC_SCHEME } from '../../src/binning/binning-scheme.js';
import { ReferenceBins } from '../../src/binning/reference-bins.js';
import { IndexWords } from '../../src/binning/words.js';
import { type Chunk, parseBai } from '../../src/index.js';
import { buildBai, chunkOf } from '../support/build-bai.js';

const { levels } = UCSC_SCHEME;
const LEAF_LEVEL = levels.length - 1;
const FORMAT = { name: 'BAI', scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true } as const;
/** Words before the first bin: n_ref and n_bin. */
const BINS_AT = 2;
const BIN_WORDS = 6;

/** Returns the bins of a reference that have these numbers, with a chunk each. */
function binsOf(numbers: readonly number[]): ReferenceBins {
  const bins = numbers.map((number) => [number, [chunkOf([number, 0], [number, 9])]] as const);
  const data = new IndexWords(buildBai([{ bins }]), 4);
  return new ReferenceBins({ data, format: FORMAT, binsAt: BINS_AT, binCount: numbers.length });
}

/** Returns the position of the chunks of the bin that is stored at an index. */
const positionOf = (index: number): number => BINS_AT + BIN_WORDS * index + 2;

test('a bin without chunks has a slot with the position of the next bin', () => {
  const bins = binsOf([4684, 4682, 585]);
  expect(bins.ordinals).toBeUndefined();
  const slots = [0, 1, 2, 3, 4, 9999].map((ordinal) => bins.slotOf(LEAF_LEVEL, ordinal));
  expect(slots.map((slot) => bins.earliestAt(slot))).toEqual([1, 1, 0, 0].map(positionOf).concat(0, 0));
  expect(slots.map((slot, ordinal) => bins.hasBin(slot, ordinal))).toEqual([false, true, false, true, false, false]);
});

test('bins that are few and far between are the only ones with slots', () => {
  const numbers = [37448, 4681, 0];
  const bins = binsOf(numbers);
  expect(bins.chunksAt).toHaveLength(numbers.length + levels.length);
  expect([0, 1, 32767].map((ordinal) => bins.earliestAt(bins.slotOf(LEAF_LEVEL, ordinal)))).toEqual(
    [1, 0, 0].map(positionOf),
  );
});

const binNumbers = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 4681, max: 4720 }), { maxLength: 40 }),
  fc.uniqueArray(fc.nat(UCSC_SCHEME.binLimit - 1), { maxLength: 20 }),
  fc.uniqueArray(fc.nat(700), { minLength: 200, maxLength: 700 }),
);

test('each bin, its neighbours and its ordinal are found, with or without slots for the others', () => {
  const found = { dense: 0, sparse: 0 };
  fc.assert(
    fc.property(binNumbers, fc.nat(9), (numbers, offset) => {
      const bins = binsOf(numbers);
      found[bins.ordinals === undefined ? 'dense' : 'sparse'] += 1;
      expect(bins.chunksAt.length).toBeLessThanOrEqual(2 * numbers.length + levels.length);
      for (const [level, { first, end }] of levels.entries()) {
        const onLevel = numbers.filter((number) => first <= number && number < end).sort((a, b) => a - b);
        for (const number of [first, ...onLevel.slice(0, 20).map((number) => number + offset - 4), end]) {
          if (number < first || number > end) continue;
          const slot = bins.slotOf(level, number - first);
          const next = onLevel.find((other) => other >= number);
          const previous = onLevel.findLast((other) => other < number);
          const previousSlot = bins.previousSlot(level, slot);
          expect(bins.earliestAt(slot)).toBe(next === undefined ? 0 : positionOf(numbers.indexOf(next)));
          expect(bins.hasBin(slot, number - first)).toBe(next === number);
          expect(previousSlot && bins.ordinalOf(level, previousSlot)).toBe(previous && previous - first);
        }
      }
    }),
    { numRuns: volume(1000), seed: 7 },
  );
  expect(Math.min(found.dense, found.sparse)).toBeGreaterThan(volume(100));
});

test.each([
  ['next to each other', [4682, 4681, 4682], 4682],
  ['far apart', [37448, 4681, 37448], 37448],
])('a duplicate bin is rejected among bins that are %s', (_, numbers, duplicate) => {
  expect(() => binsOf(numbers)).toThrow(`duplicate bin ${duplicate}`);
});

test('chunks are sorted without a change of the bytes of the index', () => {
  const unsorted: Chunk[] = [chunkOf([50, 0], [60, 0]), chunkOf([10, 0], [20, 0]), chunkOf([30, 0], [40, 0])];
  const bytes = buildBai([{ bins: [[4681, unsorted]] }, { bins: [[4681, unsorted.slice(0, 2)]] }]);
  const before = bytes.slice();
  const index = parseBai(bytes);
  const chunks = [0, 1].map((referenceId) => index.chunks({ referenceId, start: 0, end: 1 }));
  const [first, second, third] = unsorted;
  expect(chunks).toEqual([
    [second, third, first],
    [second, first],
  ]);
  expect(bytes).toEqual(before);
});
