import { expect, test } from 'vitest';
import {
  MAX_INTERVAL_CHARACTERS,
  MAX_INTERVALS,
  packedLength,
  packIntervals,
  unpackIntervals,
} from '../../src/block-url/packed-intervals.js';

const intervals = [
  { referenceId: -1, referenceName: '*', start: -(2 ** 31), end: Number.MAX_SAFE_INTEGER },
  { referenceId: 0, referenceName: 'chr1', start: 10, end: 20 },
  { referenceId: 0, referenceName: 'chr1', start: 40, end: 2 ** 40 },
  { referenceId: 1, referenceName: 'HLA-A*01:01:01:01', start: 0, end: 1 },
];

test('unpacking is the inverse of packing', () => {
  expect(unpackIntervals(packIntervals(intervals))).toEqual(intervals);
  expect(unpackIntervals(packIntervals([]))).toEqual([]);
});

test('names each reference once', () => {
  expect(packIntervals(intervals)[1]).toEqual([0, 'chr1', 10, 20, 40, 2 ** 40]);
});

test('the most intervals of a cut fit into a URL, even with a long reference name', () => {
  const referenceName = 'scaffold'.repeat(100);
  const many = Array.from({ length: MAX_INTERVALS }, (_, i) => {
    return { referenceId: 4_000_000, referenceName, start: 2 ** 31 + 100 * i, end: 2 ** 31 + 100 * i + 50 };
  });
  expect(packedLength(many)).toBeLessThan(MAX_INTERVAL_CHARACTERS);
});
