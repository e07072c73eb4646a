import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsAllKeys } from '../../src/internal.js';
import { SelectedKeys } from '../../src/records/key-selection.js';

const name = fc.string({ unit: fc.constantFrom('A', 'B', '_', '0', 'ä', '€', '🙂'), maxLength: 4 });
const names = fc.array(name, { maxLength: 12 });

test('selects the keys of `tags` except those of `notags`', () => {
  fc.assert(
    fc.property(
      fc.option(names, { nil: undefined }),
      fc.option(names, { nil: undefined }),
      names,
      (tags, notags, some) => {
        const keys = new SelectedKeys({ tags, notags });
        for (const key of [...some, ...(tags ?? []), ...(notags ?? [])]) {
          const isKept = (tags === undefined || tags.includes(key)) && notags?.includes(key) !== true;
          expect(keys.hasName(key)).toBe(isKept);
          const bytes = new TextEncoder().encode(`x${key}y`);
          expect(keys.has(bytes, 1, bytes.length - 1)).toBe(isKept);
        }
      },
    ),
    { seed: 6, numRuns: volume(1000) },
  );
});

test('finds one name among many that share a prefix', () => {
  const nameOf = (index: number): string => `${'A'.repeat(20)}${index}`;
  const keys = new SelectedKeys({ tags: Array.from({ length: 20_000 }, (_, index) => nameOf(index)) });
  const found = Array.from({ length: 20_000 }, (_, index) => keys.hasName(nameOf(index * 2)));
  expect(found.lastIndexOf(true)).toBe(9_999);
  expect(found.indexOf(false)).toBe(10_000);
  const growth = excessGrowth(
    (size) => {
      const names = Array.from({ length: size }, (_, index) => nameOf(index));
      return { names, selected: new SelectedKeys({ tags: names }) };
    },
    ({ names: all, selected }) => all.every((each) => selected.hasName(each)),
    { size: 1000 },
  );
  expect(growth).toBeLessThan(8);
});

test('keepsAllKeys reports whether a selection keeps all keys', () => {
  expect([{}, { notags: [] }, { tags: undefined }].map(keepsAllKeys)).toEqual([true, true, true]);
  expect([{ tags: [] }, { tags: ['A'] }, { notags: ['A'] }].map(keepsAllKeys)).toEqual([false, false, false]);
});
