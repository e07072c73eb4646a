import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HtsgetError, type HtsgetErrorCode } from '../../src/htsget/error.js';
import { parseHtsgetGet } from '../../src/htsget/get-query.js';
import { isJsonObject, JsonNumber, parseHtsgetPost, parseJson } from '../../src/htsget/post-query.js';
import type { Datatype, HtsgetQuery } from '../../src/htsget/query.js';

const NO_PARAMS = new URLSearchParams();
const MAX = Number.MAX_SAFE_INTEGER;

test.each(['', ' ', '\r\n', '{}', ' { } '])('%j selects the whole file in the default format', (body) => {
  expect(parseHtsgetPost('reads', NO_PARAMS, body)).toEqual({ datatype: 'reads', format: 'BAM' });
  expect(parseHtsgetPost('variants', NO_PARAMS, body)).toEqual({ datatype: 'variants', format: 'VCF' });
});

test.each<[string, object]>([
  ['{"format":"cram"}', { format: 'CRAM' }],
  ['{"class":"header"}', { class: 'header' }],
  ['{"fields":["SEQ","SEQ"]}', { fields: ['SEQ'] }],
  ['{"tags":[]}', { tags: [] }],
  ['{"tags":["NM"],"notags":[]}', { tags: ['NM'], notags: [] }],
  ['{"regions":[{"referenceName":"chr1"}]}', { regions: [{ referenceName: 'chr1' }] }],
  ['{"regions":[{"referenceName":"*"}]}', { regions: [{ referenceName: '*' }] }],
  [
    '{"regions":[{"referenceName":"2","start":5,"end":6},{"referenceName":"1","end":1}]}',
    {
      regions: [
        { referenceName: '2', start: 5, end: 6 },
        { referenceName: '1', end: 1 },
      ],
    },
  ],
  // int64 beyond the safe integers is clamped after the region is found not to be empty
  [
    '{"regions":[{"referenceName":"1","start":9007199254740993,"end":9223372036854775807}]}',
    { regions: [{ referenceName: '1', start: MAX, end: MAX }] },
  ],
  // members that the protocol does not define, and null for absent members
  [
    '{"encryptionScheme":"x","regions":[{"referenceName":"1","name":1e400,"strand":[{}]}]}',
    { regions: [{ referenceName: '1' }] },
  ],
  ['{"format":null,"class":null,"fields":null,"tags":null,"notags":null,"regions":null,"start":null}', {}],
  ['{"regions":[{"referenceName":"1","start":null,"end":null}]}', { regions: [{ referenceName: '1' }] }],
  ['{"__proto__":{"format":"XYZ"},"constructor":1}', {}],
])('parses %s', (body, expected) => {
  expect(parseHtsgetPost('reads', NO_PARAMS, body)).toEqual({ datatype: 'reads', format: 'BAM', ...expected });
});

test.each([
  '{"class":"header","regions":[{"referenceName":"na"}],"fields":["POS"],"tags":["NM"]}',
  '{"class":"header","regions":[{"referenceName":"1","start":2,"end":2}]}',
  '{"class":"header","regions":[{"referenceName":"*"}]}',
])('%s drops all but the header', (body) => {
  const query = parseHtsgetPost('variants', NO_PARAMS, body);
  expect(query).toEqual({ datatype: 'variants', format: 'VCF', class: 'header' });
});

test('ignores fields of variants', () => {
  const query = parseHtsgetPost('variants', NO_PARAMS, '{"fields":7}');
  expect(query).toEqual({ datatype: 'variants', format: 'VCF' });
});

describe('rejects', () => {
  const region = (members: string): string => `{"regions":[{"referenceName":"1",${members}}]}`;

  test.each<[string, HtsgetErrorCode]>([
    // malformed JSON, or not an object
    ['{', 'InvalidInput'],
    ['format=BAM', 'InvalidInput'],
    ['{"format":"BAM"} x', 'InvalidInput'],
    ['[]', 'InvalidInput'],
    ['null', 'InvalidInput'],
    ['5', 'InvalidInput'],
    ['"BAM"', 'InvalidInput'],
    ['[[[['.repeat(100_000), 'InvalidInput'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'InvalidInput'],
    // members of another type
    ['{"format":5}', 'InvalidInput'],
    ['{"class":true}', 'InvalidInput'],
    ['{"fields":"POS"}', 'InvalidInput'],
    ['{"fields":[5]}', 'InvalidInput'],
    ['{"tags":{}}', 'InvalidInput'],
    ['{"notags":[null]}', 'InvalidInput'],
    ['{"regions":{}}', 'InvalidInput'],
    ['{"regions":"chr1:1-2"}', 'InvalidInput'],
    ['{"regions":[null]}', 'InvalidInput'],
    ['{"regions":[["1",5,6]]}', 'InvalidInput'],
    ['{"regions":[5]}', 'InvalidInput'],
    ['{"regions":[{"referenceName":5}]}', 'InvalidInput'],
    // values
    ['{"format":"XYZ"}', 'UnsupportedFormat'],
    ['{"format":"VCF"}', 'UnsupportedFormat'],
    ['{"class":"body"}', 'InvalidInput'],
    ['{"fields":["XYZ"]}', 'InvalidInput'],
    ['{"fields":[]}', 'InvalidInput'],
    ['{"tags":[""]}', 'InvalidInput'],
    ['{"tags":["NM"],"notags":["NM"]}', 'InvalidInput'],
    // regions
    ['{"regions":[]}', 'InvalidInput'],
    ['{"class":"header","regions":[]}', 'InvalidInput'],
    ['{"regions":[{}]}', 'InvalidInput'],
    ['{"regions":[{"start":1,"end":2}]}', 'InvalidInput'],
    ['{"regions":[{"referenceName":""}]}', 'InvalidInput'],
    ['{"regions":[{"referenceName":"*","start":0}]}', 'InvalidInput'],
    ['{"referenceName":"1"}', 'InvalidInput'],
    ['{"start":1}', 'InvalidInput'],
    ['{"end":1,"regions":[{"referenceName":"1"}]}', 'InvalidInput'],
    // int64 of at least 0, as JSON writes integers
    [region('"start":-1'), 'InvalidInput'],
    [region('"start":-0'), 'InvalidInput'],
    [region('"start":1.5'), 'InvalidInput'],
    [region('"start":1.0'), 'InvalidInput'],
    [region('"start":1e3'), 'InvalidInput'],
    [region('"start":"5"'), 'InvalidInput'],
    [region('"start":"n5"'), 'InvalidInput'],
    [region('"start":""'), 'InvalidInput'],
    [region('"start":true'), 'InvalidInput'],
    [region('"start":[5]'), 'InvalidInput'],
    [region('"start":{"literal":"5"}'), 'InvalidInput'],
    [region('"end":9223372036854775808'), 'InvalidInput'],
    [region('"end":99999999999999999999999999'), 'InvalidInput'],
    // syntax errors take precedence
    ['{"format":"XYZ","regions":[{"referenceName":"1","start":2,"end":1},{"referenceName":5}]}', 'InvalidInput'],
    ['{"format":"XYZ","regions":[{"referenceName":"1","start":2,"end":1}]}', 'UnsupportedFormat'],
  ])('%.80s as %s', (body, code) => {
    expect(refusalOf('reads', NO_PARAMS, body)).toMatchObject({ code, status: 400 });
  });

  test.each(['format', 'class', 'referenceName', 'start', 'end', 'fields', 'tags', 'notags'])(
    'the parameter %s in the URL of a POST',
    (name) => {
      for (const datatype of ['reads', 'variants'] as const) {
        expect(refusalOf(datatype, new URLSearchParams({ [name]: '' }), '{}').code).toBe('InvalidInput');
      }
    },
  );
});

test.each([
  ['"start":2,"end":1', 'start 2 is greater than end 1'],
  ['"start":2,"end":2', 'start 2 is equal to end 2'],
  ['"end":0', 'start 0 is equal to end 0'],
  [
    '"start":9223372036854775807,"end":9223372036854775807',
    'start 9223372036854775807 is equal to end 9223372036854775807',
  ],
])('the query reports the invalid range of %s', (members, fault) => {
  expect(parseHtsgetPost('reads', NO_PARAMS, `{"regions":[{"referenceName":"1",${members}}]}`).invalidRange).toBe(
    fault,
  );
});

test('ignores a parameter of the URL that the protocol does not define', () => {
  const query = parseHtsgetPost('reads', new URLSearchParams('referenceMD5=1'), '');
  expect(query).toEqual({ datatype: 'reads', format: 'BAM' });
});

test('returns a query or throws an HtsgetError for any text', () => {
  const body = '{"format":"BAM","tags":["NM"],"regions":[{"referenceName":"1","start":0,"end":9223372036854775807}]}';
  const edit = fc.record({
    at: fc.nat({ max: body.length }),
    deleteCount: fc.nat({ max: 5 }),
    insert: fc.string({ unit: fc.constantFrom(...'{}[]",:\\-.e019 nstrulfa'.split('')), maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      let text = body;
      for (const { at, deleteCount, insert } of edits) text = text.slice(0, at) + insert + text.slice(at + deleteCount);
      expect(outcomeOf(text)).toMatch(/^(query|InvalidInput|UnsupportedFormat)$/);
    }),
    { numRuns: volume(2000) },
  );
});

test('parses a request as GET does', () => {
  const coordinate = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(coordinate, coordinate, fc.constantFrom('1', 'chr1', '"'), (first, second, referenceName) => {
      fc.pre(first !== second);
      const [start, end] = first < second ? [first, second] : [second, first];
      const params = new URLSearchParams({ referenceName, start: String(start), end: String(end), tags: 'NM' });
      const name = JSON.stringify(referenceName);
      const body = `{"tags":["NM"],"regions":[{"referenceName":${name},"start":${start},"end":${end}}]}`;
      expect(parseHtsgetPost('reads', NO_PARAMS, body)).toEqual(parseHtsgetGet('reads', params));
    }),
  );
});

test('parses a body of many tags in linear time', () => {
  const toBody = (size: number): string => {
    const tags = Array.from({ length: size }, (_, index) => `T${index}`);
    return JSON.stringify({ tags, notags: tags.map((tag) => `${tag}x`) });
  };
  const parse = (body: string): HtsgetQuery => parseHtsgetPost('reads', NO_PARAMS, body);
  expect(parse(toBody(32_000)).tags).toHaveLength(32_000);
  expect(excessGrowth(toBody, parse, { size: 1_000, factor: 32 })).toBeLessThan(16);
});

function outcomeOf(body: string): string {
  try {
    parseHtsgetPost('reads', NO_PARAMS, body);
    return 'query';
  } catch (error) {
    return error instanceof HtsgetError ? error.code : String(error);
  }
}

function refusalOf(datatype: Datatype, params: URLSearchParams, body: string): HtsgetError {
  try {
    parseHtsgetPost(datatype, params, body);
  } catch (error) {
    if (error instanceof HtsgetError) return error;
    throw error;
  }
  throw new Error('the request is accepted');
}

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
