import { costRatio, excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJsonBody } from '../../src/htsget/json-body.js';

const MEGABYTE = 2 ** 20;

function error(message: string): Error {
  return expect.objectContaining({ name: 'HtsgetError', code: 'InvalidInput', message }) as Error;
}

describe('parseJsonBody', () => {
  test('reads every object that JSON can hold, as JSON.parse does', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJsonBody(text).members).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    '999999999999999',
    '-123456789012345',
    '0.12345678901234567890',
    '1234567890123456.0',
    '1234567890123456e5',
    '12345678901234567E+5',
    '1e1234567890123456',
    '-1.5e-7',
    '"1234567890123456"',
    '"\\"1234567890123456"',
    '"\\\\"',
    '"\\u0022, 1234567890123456"',
    '[true,false,null]',
  ])('keeps %s in the exact members', (value) => {
    const { members, exactMembers } = parseJsonBody(`{"a":${value}}`);
    expect(exactMembers).toBe(members);
    expect(members).toEqual({ a: JSON.parse(value) as unknown });
  });

  test.each([
    ['{"a":9007199254740993}', { a: '9007199254740993' }],
    ['{"a" : -9007199254740993 }', { a: '-9007199254740993' }],
    [
      '{"a":[0,1234567890123456,"1",[9223372036854775807]]}',
      { a: [0, '1234567890123456', '1', ['9223372036854775807']] },
    ],
    ['{"1234567890123456":1234567890123456}', { '1234567890123456': '1234567890123456' }],
    ['{"a\\\\":1234567890123456,"b":{"a":"x"}}', { 'a\\': '1234567890123456', b: { a: 'x' } }],
    ['{"a":1234567890123456,"a":5}', { a: 5 }],
  ])('has the long integers of %s as strings in the exact members', (text, expected) => {
    const { members, exactMembers } = parseJsonBody(text);
    expect(members).toEqual(JSON.parse(text));
    expect(exactMembers).toEqual(expected);
  });

  test('reads __proto__ as any other key', () => {
    expect(parseJsonBody('{"__proto__":{"format":"BAM"}}').members['format']).toBeUndefined();
  });

  test.each([
    '',
    '{',
    '{a:1}',
    "{'a':1}",
    '{"a":[1,]}',
    '{"a":01}',
    '{"a":0012345678901234567}',
    '{"a":1}}',
    '{"a',
    '{"a\\',
  ])('rejects %j', (text) => {
    expect(() => parseJsonBody(text)).toThrow(error('the body is not valid JSON'));
  });

  test.each(['[]', 'null', '5', '"a"', '1234567890123456'])('rejects %s, which is not an object', (text) => {
    expect(() => parseJsonBody(text)).toThrow(error('the body must be a JSON object'));
  });

  test('accepts 100 levels of arrays and objects, and no more', () => {
    const nested = (depth: number): string =>
      '{"a":'.repeat(depth / 2) + '['.repeat(depth / 2) + ']'.repeat(depth / 2) + '}'.repeat(depth / 2);
    expect(parseJsonBody(nested(100)).members['a']).toBeDefined();
    const fault = error('the body is nested more than 100 levels deep');
    expect(() => parseJsonBody(nested(102))).toThrow(fault);
    expect(() => parseJsonBody('['.repeat(MEGABYTE))).toThrow(fault);
    expect(parseJsonBody(`{"a":[${'[],'.repeat(1000)}"${'['.repeat(1000)}"]}`).members['a']).toHaveLength(1001);
  });

  test.each<[string, (length: number) => string]>([
    ['zeros', (length) => `{"x":[${'0,'.repeat(length / 2)}0]}`],
    ['decimals', (length) => `{"x":[${'1.5,'.repeat(length / 4)}0]}`],
    ['long integers', (length) => `{"x":[${'1234567890123456,'.repeat(length / 17)}0]}`],
    ['digits', (length) => `{"x":${'9'.repeat(length)}}`],
    ['empty strings and white space', (length) => `{"x":["",${'"" ,'.repeat(length / 8)}1${' '.repeat(length / 2)}]}`],
    ['escapes', (length) => `{"${'\\n'.repeat(length / 2)}":1}`],
    ['a long key', (length) => `{"${'a'.repeat(length)}":1}`],
    ['objects', (length) => `{"x":[${'{},'.repeat(length / 3)}0]}`],
  ])('takes linear time for a megabyte of %s', (_name, toText) => {
    expect(excessGrowth(toText, parseJsonBody, { size: MEGABYTE / 32 })).toBeLessThan(8);
  });

  test('takes little more time than JSON.parse for a megabyte of zeros', () => {
    const text = `{"x":[${'0,'.repeat(MEGABYTE / 2)}0]}`;
    const parse = (): unknown => parseJsonBody(text);
    expect(costRatio(parse, () => JSON.parse(text), 6)).toBeLessThan(8);
  });

  test.each([
    ['{"a":[1,2]}', 6],
    ['{"a:[,]}":"{\\",\\\\"}', 3],
    ['{ "a" : { "b" : [ ] } }', 8],
  ])('counts the structural characters of %s outside of strings', (text, count) => {
    expect(parseJsonBody(text, { maxStructuralCharacters: count }).members).toEqual(JSON.parse(text));
    const fault = expect.objectContaining({
      code: 'PayloadTooLarge',
      message: 'the body has too many values',
    }) as Error;
    expect(() => parseJsonBody(text, { maxStructuralCharacters: count - 1 })).toThrow(fault);
  });

  test('counts the long integers', () => {
    const text = '{"a":[1234567890123456,-1234567890123457,1234567890123456.5,"1234567890123456"]}';
    expect(parseJsonBody(text, { maxLongIntegers: 2 }).members).toEqual(JSON.parse(text));
    const fault = expect.objectContaining({ code: 'PayloadTooLarge' }) as Error;
    expect(() => parseJsonBody(text, { maxLongIntegers: 1 })).toThrow(fault);
  });

  test.each<[string, string]>([
    ['quotes', '"'],
    ['opening brackets', '['],
    ['closing brackets', ']'],
    ['digits', '1'],
    ['backslashes', '\\'],
  ])('rejects a megabyte of %s', (_name, character) => {
    expect(() => parseJsonBody(character.repeat(MEGABYTE))).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  });
});

test('null, an array, a number and a string are not JSON objects', () => {
  expect([null, [], 1, 'a', {}].map(isJsonObject)).toEqual([false, false, false, false, true]);
});
