import { expect, test } from 'vitest';
import { RefgetError } from '../../src/refget/error.js';
import { parseSubsequence } from '../../src/refget/subsequence.js';

test.each([
  ['', {}],
  ['start=0', { start: 0 }],
  ['end=0', { end: 0 }],
  ['start=10&end=20', { start: 10, end: 20 }],
  ['start=20&end=10', { start: 20, end: 10 }],
  ['start=5&end=5', { start: 5, end: 5 }],
  ['start=007', { start: 7 }],
  ['end=4294967295', { end: 4_294_967_295 }],
  ['accept=text/plain&start=1&accept=x', { start: 1 }],
  ['Start=1', {}],
])('parses %j as %o', (query, subsequence) => {
  expect(parseSubsequence(new URLSearchParams(query))).toEqual(subsequence);
});

test.each([
  'start=abc',
  'start=10abc',
  'start=-1',
  'start=',
  'start',
  'start=1.5',
  'start=%2B1',
  'start=+1',
  'start=1%20',
  'start=0x10',
  'start=1e3',
  'start=4294967296',
  'start=99999999999999999999999999',
  'start=1&start=1',
  'end=abc',
  'end=-1',
  'end=4294967296',
  'end=1&end=2',
  'start=5&end=x',
])('rejects %j as a bad request', (query) => {
  expect(() => parseSubsequence(new URLSearchParams(query))).toThrow(
    expect.objectContaining({ constructor: RefgetError, status: 400, code: 'Bad Request' }),
  );
});

test('a message quotes the first 40 characters of a long value', () => {
  const params = new URLSearchParams({ start: 'x'.repeat(1000) });
  expect(() => parseSubsequence(params)).toThrow(`found "${'x'.repeat(40)}…"`);
});
