import { expect, test } from 'vitest';
import { layOutComparison } from '../../page/sequences/comparison-layout.js';

const A = { names: ['chr1', 'chrM', 'x'], lengths: [100, 4, 9], sequences: ['SQ.1', 'SQ.M', 'SQ.X'] };
const B = { names: ['MT', 'chr1'], lengths: [4, 100], sequences: ['SQ.M', 'SQ.1'] };

test('links the sequences that two collections share', () => {
  const { a, b, links, isCut } = layOutComparison(A, B, 150);
  expect(a.map(({ name, state }) => [name, state])).toEqual([
    ['chr1', 'same'],
    ['chrM', 'renamed'],
    ['x', 'alone'],
  ]);
  expect(b.map(({ state }) => state)).toEqual(['renamed', 'same']);
  expect(links).toEqual([
    { a: 0, b: 1 },
    { a: 1, b: 0 },
  ]);
  expect(isCut).toBe(false);
});

test('boxes are as wide as the square root of the length, on one scale', () => {
  const { a, b } = layOutComparison(A, B, 150);
  expect(a.map(({ x, width }) => [x, width])).toEqual([
    [0, 100],
    [100, 20],
    [120, 30],
  ]);
  expect(b.map(({ x, width }) => [x, width])).toEqual([
    [0, 20],
    [20, 100],
  ]);
});

test('a sequence that occurs twice is linked by its name', () => {
  const twice = { names: ['a', 'b'], lengths: [1, 1], sequences: ['SQ.1', 'SQ.1'] };
  const { links } = layOutComparison(twice, twice, 100);
  expect(links).toEqual([
    { a: 0, b: 0 },
    { a: 1, b: 1 },
  ]);
});

test('shows the first 200 sequences', () => {
  const names = Array.from({ length: 201 }, (_, index) => `s${index}`);
  const many = { names, lengths: names.map(() => 1), sequences: names };
  const { a, links, isCut } = layOutComparison(many, A, 100);
  expect([a.length, links.length, isCut]).toEqual([200, 0, true]);
});
