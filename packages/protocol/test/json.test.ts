import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, JsonNumber, parseJson } from '../src/json.js';

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
  ])('keeps the number %s as it is written', (literal) => {
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

  test('reads or refuses hostile megabytes without delay', () => {
    const length = 500_000;
    const startedAt = performance.now();
    parseJson(`"${'\\n'.repeat(length)}"`);
    parseJson(`"${'a'.repeat(length)}"`);
    parseJson(`[${'"" ,'.repeat(length / 4)}1${' '.repeat(length)}]`);
    parseJson('9'.repeat(length / 10));
    expect(() => parseJson('"'.repeat(length))).toThrow(SyntaxError);
    expect(() => parseJson('['.repeat(length))).toThrow(SyntaxError);
    expect(() => parseJson('['.repeat(length) + ']'.repeat(length))).toThrow(RangeError);
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });
});

test('a JSON object is none of null, an array, a number and a string', () => {
  expect([null, [], new JsonNumber('1'), 'a', {}].map(isJsonObject)).toEqual([false, false, false, false, true]);
});

function toNumbers(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.literal);
  if (Array.isArray(value)) return value.map(toNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toNumbers(member)]));
}
