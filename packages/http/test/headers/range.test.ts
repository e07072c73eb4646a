import { createRandom } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ifRangeMatches,
  isStrongEntityTag,
  matchesIfMatch,
  matchesIfNoneMatch,
  parseContentRange,
  parseRangeHeader,
  toContentRange,
} from '../../src/headers/range.js';

test.each([
  [null, true],
  ['*', true],
  [' * ', true],
  ['"a"', true],
  ['"b", "a"', true],
  ['W/"a"', false],
  ['"b"', false],
  ['', false],
])('If-Match %s permits the tag "a": %s', (header, expected) => {
  expect(matchesIfMatch(header, '"a"')).toBe(expected);
});

describe('parseRangeHeader', () => {
  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=0-0', 0, 1],
    ['bytes=99-99', 99, 100],
    ['bytes=10-', 10, 100],
    ['bytes=-5', 95, 100],
    ['bytes=-100', 0, 100],
    ['bytes=-101', 0, 100],
    ['bytes=90-100', 90, 100],
    ['bytes=90-99999999999999999999999', 90, 100],
    ['bytes=007-008', 7, 9],
    ['Bytes=1-2', 1, 3],
  ])('%j of 100 bytes is [%d, %d)', (value, start, end) => {
    expect(parseRangeHeader(value, 100)).toEqual({ kind: 'range', range: { start, end } });
  });

  test.each([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=--5',
    'bytes=5',
    'bytes=a-b',
    'bytes=0-9a',
    'bytes=0.5-9',
    'bytes=+0-9',
    'bytes=0-9,20-29',
    'bytes=0-9,',
    'bytes= 0-9',
    'bytes =0-9',
    'bytes=0-9\n',
    'bases=0-9',
    '0-9',
  ])('%j is malformed', (value) => {
    expect(parseRangeHeader(value, 100)).toEqual({ kind: 'malformed' });
  });

  test.each([
    ['bytes=9-0', 100, 'first-after-last'],
    ['bytes=200-100', 100, 'first-after-last'],
    ['bytes=100-', 100, 'beyond-end'],
    ['bytes=100-100', 100, 'beyond-end'],
    ['bytes=100-200', 100, 'beyond-end'],
    ['bytes=-0', 100, 'beyond-end'],
    ['bytes=0-', 0, 'beyond-end'],
    ['bytes=0-0', 0, 'beyond-end'],
    ['bytes=-5', 0, 'beyond-end'],
    [`bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`, 100, 'beyond-end'],
  ])('%j of %d bytes is unsatisfiable: %s', (value, length, reason) => {
    expect(parseRangeHeader(value, length)).toEqual({ kind: 'unsatisfiable', reason });
  });

  test('no header asks for no range', () => {
    expect(parseRangeHeader(null, 100)).toEqual({ kind: 'none' });
  });

  test('a range is never empty and lies within the representation, whatever the header', () => {
    const digits = fc.oneof(fc.constant(''), fc.nat({ max: 50 }).map(String), fc.stringMatching(/^\d{1,30}$/));
    fc.assert(
      fc.property(digits, digits, fc.nat({ max: 40 }), (first, last, length) => {
        const parsed = parseRangeHeader(`bytes=${first}-${last}`, length);
        if (parsed.kind !== 'range') return;
        expect(parsed.range.start).toBeGreaterThanOrEqual(0);
        expect(parsed.range.start).toBeLessThan(parsed.range.end);
        expect(parsed.range.end).toBeLessThanOrEqual(length);
      }),
    );
  });
});

describe('toContentRange', () => {
  test('writes the inclusive end', () => {
    expect(toContentRange({ start: 0, end: 10 }, 100)).toBe('bytes 0-9/100');
  });

  test('writes the length of a representation that has no such range', () => {
    expect(toContentRange(undefined, 100)).toBe('bytes */100');
  });
});

describe('parseContentRange', () => {
  test.each([
    ['bytes 0-0/1', { range: { start: 0, end: 1 }, size: 1 }],
    ['bytes 5-9/100', { range: { start: 5, end: 10 }, size: 100 }],
    ['Bytes  5-9/*', { range: { start: 5, end: 10 }, size: undefined }],
    ['bytes */100', { range: undefined, size: 100 }],
  ])('reads "%s"', (value, expected) => {
    expect(parseContentRange(value)).toEqual(expected);
  });

  test.each([
    '',
    'bytes',
    'bytes 5-4/100',
    'bytes 5-100/100',
    'bytes -5/100',
    'bytes 5-/100',
    'bytes 5-9',
    'bytes */*',
    'bytes 0-9007199254740991/*',
    'bytes 0-1/9007199254740992',
    'items 5-9/100',
    'bytes 5-9/100, bytes 5-9/100',
    'bytes 0x5-9/100',
  ])('refuses "%s"', (value) => {
    expect(parseContentRange(value)).toBeUndefined();
  });

  test('whatever it parses from damaged headers is consistent', () => {
    const random = createRandom(3);
    const alphabet = 'bytes 0123456789-/*';
    const senseless: string[] = [];
    for (let count = 0; count < 20_000; count++) {
      const characters = Array.from('bytes 10-19/200');
      for (let edits = 0; edits < 3; edits++) {
        const at = Math.floor(random() * characters.length);
        characters.splice(at, random() < 0.5 ? 1 : 0, alphabet[Math.floor(random() * alphabet.length)] ?? '');
      }
      const { range, size } = parseContentRange(characters.join('')) ?? {};
      if (range !== undefined && !(range.start < range.end && range.end <= (size ?? range.end))) {
        senseless.push(characters.join(''));
      }
    }
    expect(senseless).toEqual([]);
  });
});

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
