import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyNames } from '../src/key-names.js';

const name = fc.string({ unit: fc.constantFrom('A', 'B', '_', '0', 'ä', '€', '🙂'), maxLength: 4 });
const names = fc.array(name, { maxLength: 12 });

test('keeps the keys of tags but those of notags', () => {
  fc.assert(
    fc.property(
      fc.option(names, { nil: undefined }),
      fc.option(names, { nil: undefined }),
      names,
      (tags, notags, some) => {
        const keys = new KeyNames({ tags, notags });
        for (const key of [...some, ...(tags ?? []), ...(notags ?? [])]) {
          const isKept = (tags === undefined || tags.includes(key)) && notags?.includes(key) !== true;
          expect(keys.keepsName(key)).toBe(isKept);
          const bytes = new TextEncoder().encode(`x${key}y`);
          expect(keys.keeps(bytes, 1, bytes.length - 1)).toBe(isKept);
        }
      },
    ),
    { seed: 6, numRuns: 1000 },
  );
});

test('finds one name of many that share a beginning', () => {
  const tags = Array.from({ length: 100_000 }, (_, rank) => `${'A'.repeat(20)}${rank}`);
  const keys = new KeyNames({ tags });
  const before = performance.now();
  const found = Array.from(tags, (_, rank) => keys.keepsName(`${'A'.repeat(20)}${rank * 2}`));
  expect(found.lastIndexOf(true)).toBe(49_999);
  expect(found.indexOf(false)).toBe(50_000);
  expect(performance.now() - before).toBeLessThan(10_000);
});
