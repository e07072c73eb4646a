import { describe, expect, test } from 'vitest';
import { HtsgetError } from '../../src/htsget/error.js';
import { parseHtsgetGet } from '../../src/htsget/get-query.js';
import { parseHtsgetPost } from '../../src/htsget/post-query.js';
import type { Datatype, HtsgetQuery } from '../../src/htsget/query.js';

const NONE = new URLSearchParams();

/** Parses the same request as GET and as POST, which must agree, and returns what the extensions are. */
function parseBoth(datatype: Datatype, query: string, body: object): Partial<HtsgetQuery> {
  const get = parseHtsgetGet(datatype, new URLSearchParams(query));
  expect(parseHtsgetPost(datatype, NONE, JSON.stringify(body))).toEqual(get);
  const { datatype: _datatype, format: _format, ...rest } = get;
  return JSON.parse(JSON.stringify(rest)) as Partial<HtsgetQuery>;
}

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof HtsgetError && error.code === 'InvalidInput') return error.message;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('samples', () => {
  test.each<[string, object, Partial<HtsgetQuery>]>([
    ['samples=A', { samples: ['A'] }, { samples: ['A'] }],
    ['samples=B,A,B', { samples: ['B', 'A', 'B'] }, { samples: ['B', 'A'] }],
    ['samples=', { samples: [] }, { samples: [] }],
    ['samples=a%2Fb,%C3%A9', { samples: ['a/b', 'é'] }, { samples: ['a/b', 'é'] }],
    [
      'samples=A&samplesUpdate=off',
      { samples: ['A'], samplesUpdate: 'off' },
      { samples: ['A'], keepsAggregates: true },
    ],
    ['samples=A&samplesUpdate=on', { samples: ['A'], samplesUpdate: 'on' }, { samples: ['A'] }],
    [
      'class=header&samples=A&tags=DP',
      { class: 'header', samples: ['A'], tags: ['DP'] },
      { class: 'header', samples: ['A'] },
    ],
  ])('of %s', (query, body, expected) => {
    expect(parseBoth('variants', query, body)).toEqual(expected);
    expect(parseBoth('reads', query, body)).toEqual(expected);
  });

  test.each([
    ['samples=A,,B', { samples: ['A', '', 'B'] }, 'samples has an empty element'],
    ['samplesUpdate=no', { samplesUpdate: 'no' }, 'samplesUpdate must be "on" or "off", found "no"'],
  ])('of %s are refused', (query, body, message) => {
    expect(refusal(() => parseHtsgetGet('variants', new URLSearchParams(query)))).toBe(message);
    expect(refusal(() => parseHtsgetPost('variants', NONE, JSON.stringify(body)))).toBe(message);
  });

  test('are refused twice in a GET, in the URL of a POST, and as a text', () => {
    const twice = new URLSearchParams('samples=A&samples=B');
    expect(refusal(() => parseHtsgetGet('variants', twice))).toBe('samples is given more than once');
    expect(refusal(() => parseHtsgetPost('variants', twice, ''))).toContain('a POST takes samples in its body');
    expect(refusal(() => parseHtsgetPost('variants', NONE, '{"samples":"A"}'))).toBe(
      'samples must be an array of strings',
    );
  });
});

describe('flags and mapping quality', () => {
  test.each<[string, object, Partial<HtsgetQuery>]>([
    ['requireFlags=2', { requireFlags: 2 }, { requireFlags: 2 }],
    ['excludeFlags=0x904', { excludeFlags: '0x904' }, { excludeFlags: 0x904 }],
    ['excludeFlags=0XfF', { excludeFlags: 255 }, { excludeFlags: 255 }],
    ['minMappingQuality=0', { minMappingQuality: 0 }, { minMappingQuality: 0 }],
    [
      'requireFlags=65535&minMappingQuality=255',
      { requireFlags: 65_535, minMappingQuality: '255' },
      { requireFlags: 65_535, minMappingQuality: 255 },
    ],
  ])('of %s', (query, body, expected) => {
    expect(parseBoth('reads', query, body)).toEqual(expected);
    expect(parseBoth('variants', query, body)).toEqual({});
  });

  test.each(['requireFlags', 'excludeFlags', 'minMappingQuality'])('%s must be an integer', (name) => {
    for (const value of ['', '-1', '1.5', '0x', '65536', '1e2', 'PAIRED', '9'.repeat(400)]) {
      const query = new URLSearchParams({ [name]: value });
      expect(refusal(() => parseHtsgetGet('reads', query))).toContain(`${name} must be an integer from 0 to`);
    }
    for (const value of [-1, 1.5, 65_536, 1e300]) {
      const body = JSON.stringify({ [name]: value });
      expect(refusal(() => parseHtsgetPost('reads', NONE, body))).toContain(`${name} must be an integer from 0 to`);
    }
    expect(refusal(() => parseHtsgetPost('reads', NONE, `{"${name}":[1]}`))).toBe(`${name} must be a string`);
  });
});

describe('encryptionScheme', () => {
  test.each(['crypt4gh', 'Crypt4GH', 'C4GH', 'c4gh'])('%s is Crypt4GH', (encryptionScheme) => {
    const query = new URLSearchParams({ encryptionScheme }).toString();
    for (const datatype of ['reads', 'variants'] as const) {
      expect(parseBoth(datatype, query, { encryptionScheme })).toEqual({ encryptionScheme: 'crypt4gh' });
    }
  });

  test('may accompany a request for the header', () => {
    const query = parseHtsgetGet('reads', new URLSearchParams('class=header&encryptionScheme=crypt4gh'));
    expect(query).toEqual({ datatype: 'reads', format: 'BAM', class: 'header', encryptionScheme: 'crypt4gh' });
  });

  test.each(['', 'age', 'crypt4gh,age'])('%j is rejected', (encryptionScheme) => {
    const query = new URLSearchParams({ encryptionScheme });
    const message = `encryptionScheme must be "crypt4gh", found ${JSON.stringify(encryptionScheme)}`;
    expect(refusal(() => parseHtsgetGet('reads', query))).toBe(message);
    expect(refusal(() => parseHtsgetPost('reads', NONE, JSON.stringify({ encryptionScheme })))).toBe(message);
  });
});

test('extensions that are off are ignored as unknown parameters are', () => {
  const text =
    'samples=A,&samplesUpdate=x&requireFlags=x&excludeFlags=1&minMappingQuality=-1&samples=B&encryptionScheme=x';
  const query = new URLSearchParams(text);
  const body = {
    samples: 1,
    samplesUpdate: 1,
    requireFlags: [],
    excludeFlags: 1,
    minMappingQuality: -1,
    encryptionScheme: 1,
  };
  const options = { extensions: false };
  expect(parseHtsgetGet('reads', query, options)).toEqual({ datatype: 'reads', format: 'BAM' });
  expect(parseHtsgetPost('reads', query, JSON.stringify(body), options)).toEqual({ datatype: 'reads', format: 'BAM' });
});
