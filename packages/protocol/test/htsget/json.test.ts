import { excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, JsonNumber, parseJson } from '../../src/htsget/json.js';

const number = (literal: string): JsonNumber => new JsonNumber(literal);

describe('parseJson', () => {
  test.each([
    '0',
    '-0',
    '5',
    '1e3',
    '1E+3',
    '1.5',
    '-1.5e-7',
    '9007199254740993',
    '9223372036854775807',
    '123456789012345678901234567890',
  ])('keeps the literal of the number %s', (literal) => {
    expect(parseJson(literal)).toEqual(number(literal));
    expect(parseJson(` [ ${literal} , {"a":${literal}}]`)).toEqual([number(literal), { a: number(literal) }]);
  });

  test.each([
    ['"5"', '5'],
    ['"n5"', 'n5'],
    ['"s"', 's'],
    ['""', ''],
    ['"a\\"1\\\\"', 'a"1\\'],
    ['"\\u0022: 7"', '": 7'],
    ['{"1":"2"}', { 1: '2' }],
    ['{"n":"n"}', { n: 'n' }],
    ['{"a" : 1, "b"\n:"1:2"}', { a: number('1'), b: '1:2' }],
    ['{"a":":","b":["x",":"]}', { a: ':', b: ['x', ':'] }],
    ['{"a\\"":1}', { 'a"': number('1') }],
    ['[true,false,null]', [true, false, null]],
  ])('reads %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('reads __proto__ as any other key', () => {
    const value = parseJson('{"__proto__":{"format":"BAM"}}');
    expect(isJsonObject(value) && value['format']).toBeUndefined();
  });

  test('reads every value that JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(toNumbers(parseJson(JSON.stringify(value, null, indent)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each(['', '{', '{a:1}', "{'a':1}", '[1,]', '01', '1 2', '"a', '"n1', 'NaN', '{"a":1}}', '"\t"'])(
    'throws on %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  test.each<[string, (length: number) => string]>([
    ['a string of escapes', (length) => `"${'\\n'.repeat(length)}"`],
    ['a long string', (length) => `"${'a'.repeat(length)}"`],
    ['many strings and white space', (length) => `[${'"" ,'.repeat(length / 4)}1${' '.repeat(length)}]`],
    ['many digits', (length) => '9'.repeat(length)],
  ])('takes linear time for %s', (_name, toText) => {
    expect(excessGrowth(toText, parseJson, { size: 8_000, factor: 32 })).toBeLessThan(16);
  });

  test.each<[string, (length: number) => string, typeof SyntaxError | typeof RangeError]>([
    ['unbalanced quotes', (length) => '"'.repeat(length), SyntaxError],
    ['unclosed arrays', (length) => '['.repeat(length), SyntaxError],
    ['deeply nested arrays', (length) => '['.repeat(length) + ']'.repeat(length), RangeError],
  ])('throws on half a million characters of %s', (_name, toText, error) => {
    expect(() => parseJson(toText(500_000))).toThrow(error);
  });
});

test('null, an array, a number and a string are not JSON objects', () => {
  expect([null, [], new JsonNumber('1'), 'a', {}].map(isJsonObject)).toEqual([false, false, false, false, true]);
});

function toNumbers(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.literal);
  if (Array.isArray(value)) return value.map(toNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toNumbers(member)]));
}
