import { afterEach, expect, test, vi } from 'vitest';
import { parseDecimal, quote } from '../src/parameter.js';

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['0', 0n],
  ['7', 7n],
  ['100', 100n],
  ['007', 7n],
  ['0000000000000000000000000100', 100n],
])('parses %j', (text, value) => {
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
])('rejects %j', (text) => {
  expect(parseDecimal(text, 100n)).toBeUndefined();
});

test('rejects a million digits without converting them', () => {
  const convert = vi.fn<typeof BigInt>(BigInt);
  vi.stubGlobal('BigInt', convert);
  expect(parseDecimal('9'.repeat(1_000_000), 2n ** 63n)).toBeUndefined();
  expect(convert).not.toHaveBeenCalled();
  expect(parseDecimal('9', 2n ** 63n)).toBe(9n);
  expect(convert).toHaveBeenCalledOnce();
});

test('quotes control characters as escapes and the first 40 characters of a long value', () => {
  expect(quote('a"b\n')).toBe('"a\\"b\\n"');
  expect(quote('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`);
  expect(quote('x'.repeat(41))).toBe(`"${'x'.repeat(40)}…"`);
});
