import { toEditList } from '@htskit/crypt4gh';
import { toKeptRanges } from '@htskit/crypt4gh/internal';
import { expect, test } from 'vitest';

const rest = Number.POSITIVE_INFINITY;

/** The example of the specification, §4.2.1. */
const EXAMPLE = [0, 7853, 71721, 307929, 51299, 38];
const EXAMPLE_RANGES = [
  { start: 0, end: 7853 },
  { start: 79_574, end: 387_503 },
  { start: 438_802, end: 438_840 },
];

test('reads and writes the example of the specification', () => {
  expect(toKeptRanges(EXAMPLE)).toEqual(EXAMPLE_RANGES);
  expect(toEditList(EXAMPLE_RANGES)).toEqual(EXAMPLE);
});

test.each([
  ['an empty list keeps all', [], [{ start: 0, end: rest }]],
  ['an odd number of lengths keeps the rest', [5], [{ start: 5, end: rest }]],
  ['nothing discarded, and nothing kept', [0, 0], []],
  [
    'empty ranges are dropped',
    [1, 0, 2, 3, 0, 4],
    [
      { start: 3, end: 6 },
      { start: 6, end: 10 },
    ],
  ],
  [
    'the rest after a kept range',
    [1, 2, 3],
    [
      { start: 1, end: 3 },
      { start: 6, end: rest },
    ],
  ],
])('%s', (_, editList, ranges) => {
  expect(toKeptRanges(editList)).toEqual(ranges);
});

test.each([[[2 ** 53 - 1, 1]], [[2 ** 52, 2 ** 52, 5]], [[1, 2 ** 53 - 1, 0]]])('rejects %j', (editList) => {
  expect(() => toKeptRanges(editList)).toThrow(expect.objectContaining({ code: 'INVALID_HEADER' }));
});
