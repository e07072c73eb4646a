import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { HtsgetError, type HtsgetErrorCode } from '../../src/htsget/error.js';
import { parseHtsgetGet } from '../../src/htsget/get-query.js';
import { parseHtsgetPost } from '../../src/htsget/post-query.js';
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
    '{"encryption":"x","regions":[{"referenceName":"1","name":1e400,"strand":[{}]}]}',
    { regions: [{ referenceName: '1' }] },
  ],
  ['{"format":null,"class":null,"fields":null,"tags":null,"notags":null,"regions":null,"start":null}', {}],
  ['{"regions":[{"referenceName":"1","start":null,"end":null}]}', { regions: [{ referenceName: '1' }] }],
  ['{"__proto__":{"format":"XYZ"},"constructor":1}', {}],
])('parses %s', (body, expected) => {
  expect(parseHtsgetPost('reads', NO_PARAMS, body)).toEqual({ datatype: 'reads', format: 'BAM', ...expected });
});

test.each([
  ['0', 0],
  ['-0', 0],
  ['0e5', 0],
  ['100000', 100_000],
  ['1e5', 100_000],
  ['1E5', 100_000],
  ['1e+5', 100_000],
  ['100000.0', 100_000],
  ['0.1e6', 100_000],
  ['1000000e-1', 100_000],
  ['9007199254740991', MAX],
  ['9007199254740993', MAX],
  ['1e18', MAX],
])('reads the integer %s', (literal, end) => {
  const body = `{"regions":[{"referenceName":"1","start":${literal}}]}`;
  expect(parseHtsgetPost('reads', NO_PARAMS, body).regions).toEqual([{ referenceName: '1', start: end }]);
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
    // int64 of at least 0
    [region('"start":-1'), 'InvalidInput'],
    [region('"start":1.5'), 'InvalidInput'],
    [region('"start":1e-1'), 'InvalidInput'],
    [region('"start":1e400'), 'InvalidInput'],
    [region('"start":-1e3'), 'InvalidInput'],
    [region('"start":1E19'), 'InvalidInput'],
    [region('"start":-9007199254740993'), 'InvalidInput'],
    [region('"start":9007199254740993.5e-1'), 'InvalidInput'],
    [region('"start":"5"'), 'InvalidInput'],
    [region('"start":"n5"'), 'InvalidInput'],
    [region('"start":""'), 'InvalidInput'],
    [region('"start":"9007199254740993"'), 'InvalidInput'],
    [region('"start":"9007199254740993","end":9007199254740994'), 'InvalidInput'],
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

test('distinguishes integers that are equal as floating-point numbers', () => {
  const body = '{"regions":[{"referenceName":"1","start":9007199254740992,"end":9007199254740993}]}';
  expect(parseHtsgetPost('reads', NO_PARAMS, body).invalidRange).toBeUndefined();
  expect(parseHtsgetPost('reads', NO_PARAMS, body.replace('992', '993')).invalidRange).toBeDefined();
});

test.each([
  ['"start":2,"end":1', 'start 2 is greater than end 1'],
  ['"start":2,"end":2', 'start 2 is equal to end 2'],
  ['"end":0', 'start 0 is equal to end 0'],
  ['"start":2e1,"end":1E1', 'start 20 is greater than end 10'],
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
  const limits = { maxRegions: 10_000 };
  const parse = (body: string): HtsgetQuery => parseHtsgetPost('reads', NO_PARAMS, body, limits);
  expect(parse(toBody(32_000)).tags).toHaveLength(32_000);
  expect(excessGrowth(toBody, parse, { size: 1_000 })).toBeLessThan(8);
});

test('accepts as many regions as the limit, and refuses more', () => {
  const region = {
    referenceName: 'chr1',
    start: 2 ** 53,
    end: Number('9223372036854775000'),
    x: { name: 'a', tags: [1, 2] },
  };
  const body = (count: number): string => JSON.stringify({ regions: Array(count).fill(region) });
  expect(parseHtsgetPost('reads', NO_PARAMS, body(1000)).regions).toHaveLength(1000);
  const message = 'more than 1000 regions';
  expect(refusalOf('reads', NO_PARAMS, body(1001))).toMatchObject({ code: 'PayloadTooLarge', status: 413, message });
  expect(parseHtsgetPost('reads', NO_PARAMS, body(5000), { maxRegions: 5000 }).regions).toHaveLength(5000);
});

test.each<[string, string]>([
  ['zeros', `{"x":[${'0,'.repeat(2 ** 19)}0]}`],
  ['objects', `{"x":[${'{},'.repeat(2 ** 18)}0]}`],
  ['members', `{${'"a":1,'.repeat(2 ** 17)}"a":1}`],
  ['regions', `{"regions":[${'{},'.repeat(2 ** 18)}{}]}`],
  ['long integers', `{"x":[${'1234567890123456,'.repeat(2 ** 14)}0]}`],
])('refuses far more %s than regions need before it creates a value', (_name, body) => {
  const parse = vi.spyOn(JSON, 'parse');
  expect(refusalOf('reads', NO_PARAMS, body)).toMatchObject({ code: 'PayloadTooLarge', status: 413 });
  expect(parse).not.toHaveBeenCalled();
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
