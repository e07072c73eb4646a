import { expect, test } from 'vitest';
import { checkRange, clipRange } from '../src/byte-source.js';

const MAX = Number.MAX_SAFE_INTEGER;

test.each([
  [0, 0],
  [0, 1],
  [5, 5],
  [0, MAX],
  [MAX, MAX],
])('accepts [%d, %d)', (start, end) => {
  expect(() => checkRange({ start, end }, 'key')).not.toThrow();
});

test.each([
  [-1, 5],
  [0, -1],
  [5, 4],
  [0.5, 1],
  [0, 1.5],
  [Number.NaN, 1],
  [0, Number.NaN],
  [0, Number.POSITIVE_INFINITY],
  [0, MAX + 1],
])('refuses [%d, %d)', (start, end) => {
  expect(() => checkRange({ start, end }, 'key')).toThrow(
    expect.objectContaining({ name: 'StorageError', code: 'INVALID_RANGE', key: 'key', isTransient: false }),
  );
});

test.each([
  [0, 10, 0, 10],
  [5, 20, 5, 10],
  [10, 20, 10, 10],
  [15, 20, 10, 10],
])('[%d, %d) of 10 bytes is [%d, %d)', (start, end, clippedStart, clippedEnd) => {
  expect(clipRange({ start, end }, 10)).toEqual({ start: clippedStart, end: clippedEnd });
});
