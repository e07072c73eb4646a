import { expect, test } from 'vitest';
import { negotiateCoding } from '../../src/headers/content-coding.js';

test.each([
  [null, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['gzip ; q=0.5,br; q=0.5', 'br'],
  ['gzip;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0, gzip;q=0.001', 'gzip'],
  ['gzip;q=0 ,deflate', undefined],
  ['gzip;q=2', undefined],
  ['gzip;q=x', undefined],
  ['zstd, deflate', undefined],
])('Accept-Encoding: %s prefers %s', (header, expected) => {
  expect(negotiateCoding(header, ['br', 'gzip'])).toBe(expected);
});

test('prefers only what is supported', () => {
  expect(negotiateCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
  expect(negotiateCoding('br, gzip', [])).toBeUndefined();
});
