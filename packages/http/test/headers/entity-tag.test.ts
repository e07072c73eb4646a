import { expect, test } from 'vitest';
import { ifRangeMatches, matchesIfNoneMatch } from '../../src/index.js';

test.each([
  [null, false],
  ['', false],
  ['"a"', true],
  [' "a" ', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b","c"', false],
  ['*', true],
  ['a', false],
  ['"A"', false],
])('If-None-Match %j and "a": %s', (header, expected) => {
  expect(matchesIfNoneMatch(header, '"a"')).toBe(expected);
});

test.each([
  [null, true],
  ['"a"', true],
  ['W/"a"', false],
  ['"b"', false],
  ['Wed, 21 Oct 2015 07:28:00 GMT', false],
])('If-Range %j and "a": %s', (header, expected) => {
  expect(ifRangeMatches(header, '"a"')).toBe(expected);
});
