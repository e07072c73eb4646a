import { expect, test } from 'vitest';
import { ifRangeMatches, isStrongEntityTag, matchesIfNoneMatch } from '../../src/index.js';

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

test.each([
  ['"a"', true],
  ['""', true],
  ['W/"a"', false],
  ['a', false],
  ['"a""', false],
  ['"a\n"', false],
  ['', false],
])('%j is a strong entity tag: %s', (value, expected) => {
  expect(isStrongEntityTag(value)).toBe(expected);
});
