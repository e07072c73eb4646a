import { expect, test } from 'vitest';
import { parseTypedRegion } from '../../page/region/typed-region.js';

const NAMES = ['chr1', 'chr2', 'chrM', 'HLA-A*01:01'];

test.each([
  ['chr1:1,001-2,000', 'chr1', 1000, 2000],
  ['chr1 1001 2000', 'chr1', 1000, 2000],
  ['chr1\t1001\t2000', 'chr1', 1000, 2000],
  [' chr1  1,001 - 2,000 ', 'chr1', 1000, 2000],
  ['chr1:1k-2k', 'chr1', 999, 2000],
  ['chr1 1k 2k', 'chr1', 999, 2000],
  ['1:1001-2000', 'chr1', 1000, 2000],
  ['CHR2 5 6', 'chr2', 4, 6],
  ['MT:1-9', 'chrM', 0, 9],
  ['HLA-A*01:01 1 9', 'HLA-A*01:01', 0, 9],
])('parses %j as a person means it', (text, referenceName, start, end) => {
  expect(parseTypedRegion(text, NAMES)).toEqual({ referenceName, start, end });
});

test.each(['chr1', 'HLA-A*01:01', '*'])('takes %s for a whole reference', (referenceName) => {
  expect(parseTypedRegion(referenceName, NAMES)).toEqual({ referenceName });
});

test('keeps a name that no reference has, or several have', () => {
  expect(parseTypedRegion('chr9:1-2', NAMES)).toMatchObject({ referenceName: 'chr9' });
  expect(parseTypedRegion('Chr1:1-2', ['chr1', '1'])).toMatchObject({ referenceName: 'Chr1' });
});

test.each(['chr1:9-1', 'chr1 9 1', '', 'chr1:x'])('refuses %j', (text) => {
  expect(() => parseTypedRegion(text, NAMES)).toThrow(/region/);
});
