import { expect, test } from 'vitest';
import { RegionUnions } from '../../src/auth/region-unions.js';

const [a, b, c] = ['a', 'b', 'c'].map((referenceName) => [{ referenceName }]);

test('one list is its own union; of several there is one array, in their order', () => {
  const unions = new RegionUnions();
  expect(unions.get([a ?? []])).toBe(a);
  const both = unions.get([a ?? [], b ?? []]);
  expect(both).toEqual([{ referenceName: 'a' }, { referenceName: 'b' }]);
  expect(unions.get([a ?? [], b ?? []])).toBe(both);
  expect(unions.get([a ?? [], c ?? []])).toEqual([{ referenceName: 'a' }, { referenceName: 'c' }]);
});

test('unions that are many are not all kept', () => {
  const unions = new RegionUnions();
  const first = unions.get([a ?? [], b ?? []]);
  for (let i = 0; i < 16; i++) unions.get([a ?? [], [{ referenceName: `x${i}` }]]);
  expect(unions.get([a ?? [], b ?? []])).not.toBe(first);
  expect(unions.get([a ?? [], b ?? []])).toEqual(first);
});
