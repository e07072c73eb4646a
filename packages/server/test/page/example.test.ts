import { expect, test } from 'vitest';
import { deepest, refineExample, withoutEmptyEnds } from '../../page/region/example.js';

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

test('an example of reads is its deepest eighth, and stays if its coverage is not known', async () => {
  const example = { referenceName: 'chr1', start: 1000, end: 1000 + 64 * 10 };
  const mean = Array.from({ length: 64 }, (_, bin) => (bin >= 20 && bin < 28 ? 9 : 1));
  const load = async (): Promise<{ estimated: boolean; mean: number[] }> => ({ estimated: true, mean });
  expect(await refineExample('reads', example, load)).toEqual({ referenceName: 'chr1', start: 1200, end: 1280 });
  const fail = async (): Promise<never> => Promise.reject(new Error('there is no coverage'));
  expect(await refineExample('variants', example, fail)).toBe(example);
});
