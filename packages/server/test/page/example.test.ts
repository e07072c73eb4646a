import { expect, test } from 'vitest';
import { deepest, withoutEmptyEnds } from '../../page/region/example.js';

test('the deepest bins have the greatest sum, the first ones of several', () => {
  expect(deepest([0, 1, 5, 6, 0, 0], 2)).toEqual([2, 4]);
  expect(deepest([3, 0, 3, 0], 2)).toEqual([0, 2]);
  expect(deepest([0, 0, 0], 2)).toEqual([0, 2]);
  expect(deepest([1], 2)).toEqual([0, 1]);
});

test('empty ends are left out, unless everything is empty', () => {
  expect(withoutEmptyEnds([0, 0, 1, 0, 2, 0])).toEqual([2, 5]);
  expect(withoutEmptyEnds([1])).toEqual([0, 1]);
  expect(withoutEmptyEnds([0, 0])).toEqual([0, 2]);
});
