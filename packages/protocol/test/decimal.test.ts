import { expect, test } from 'vitest';
import { parseDecimal } from '../src/decimal.js';

test.each([
  ['0', 0n],
  ['7', 7n],
  ['100', 100n],
  ['007', 7n],
  ['0000000000000000000000000100', 100n],
])('reads %j', (text, value) => {
  expect(parseDecimal(text, 100n)).toBe(value);
});

test.each([
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '-1',
  '-0',
  '1.0',
  '1e1',
  '0x1',
  '0b1',
  '1_0',
  '१',
  'abc',
  '1a',
  '101',
  '1000',
])('refuses %j', (text) => {
  expect(parseDecimal(text, 100n)).toBeUndefined();
});

test('refuses a million digits without computing their value', () => {
  const startedAt = performance.now();
  expect(parseDecimal('9'.repeat(1_000_000), 2n ** 63n)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(200);
});
