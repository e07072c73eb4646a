import { excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatSequenceIdentifier,
  parseSequenceIdentifier,
  type SequenceIdentifier,
} from '../src/sequence-identifier.js';

const options = { authorities: ['ga4gh', 'std'] };
const parse = (text: string) => parseSequenceIdentifier(text, options);

const MD5 = '6681ac2f62509cfc220d78751b8dc524';
const TRUNC512 = '959cb1883fc1ca9ae1394ceb475a356ead1ecceff5824ae7';
const SQ = 'SQ.lZyxiD_ByprhOUzrR1o1bq0ezO_1gkrn';

const md5: SequenceIdentifier = { kind: 'md5', digest: MD5 };
const trunc512: SequenceIdentifier = { kind: 'trunc512', digest: TRUNC512 };
const sha512t24u: SequenceIdentifier = { kind: 'sha512t24u', digest: SQ };

describe('digests', () => {
  test.each<[string, SequenceIdentifier]>([
    [MD5, md5],
    [MD5.toUpperCase(), md5],
    [`md5:${MD5}`, md5],
    [`MD5:${MD5.toUpperCase()}`, md5],
    [TRUNC512, trunc512],
    [TRUNC512.toUpperCase(), trunc512],
    [`trunc512:${TRUNC512}`, trunc512],
    [`Trunc512:${TRUNC512.toUpperCase()}`, trunc512],
    [SQ, sha512t24u],
    [`ga4gh:${SQ}`, sha512t24u],
    [`GA4GH:${SQ}`, sha512t24u],
    [`std:${SQ}`, sha512t24u],
    [`Std:${SQ}`, sha512t24u],
  ])('%s is parsed to its canonical letter case', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('the namespace of another authority makes a CURIE', () => {
    expect(parseSequenceIdentifier(`std:${SQ}`, { authorities: [] })).toEqual({
      kind: 'curie',
      namespace: 'std',
      name: SQ,
    });
  });
});

describe('CURIEs', () => {
  test.each([
    ['insdc:BK006935.2', 'insdc', 'BK006935.2'],
    ['RefSeq:NC_001133.9', 'refseq', 'NC_001133.9'],
    ['ena.embl:X_1', 'ena.embl', 'X_1'],
    ['hla:HLA:00001', 'hla', 'HLA:00001'],
    ['name:chr 1', 'name', 'chr 1'],
    [`vmc:GS_${SQ.slice(3)}`, 'vmc', `GS_${SQ.slice(3)}`],
  ])('%s has its namespace in lower case and its name unchanged', (text, namespace, name) => {
    expect(parse(text)).toEqual({ kind: 'curie', namespace, name });
  });
});

describe('malformed identifiers', () => {
  test.each([
    '',
    ':',
    'chr1',
    ':chr1',
    'insdc:',
    'a b:chr1',
    'é:chr1',
    MD5.slice(1),
    `${MD5}0`,
    `g${MD5.slice(1)}`,
    `${MD5}\n`,
    ` ${MD5}`,
    `md5:${TRUNC512}`,
    `trunc512:${MD5}`,
    `md5:md5:${MD5}`,
    `ga4gh:${MD5}`,
    `ga4gh:${SQ.slice(3)}`,
    'ga4gh:',
    SQ.toLowerCase(),
    SQ.slice(3),
    SQ.slice(0, -1),
    `${SQ}A`,
    SQ.replace('_', '/'),
    `${SQ.slice(0, -1)}=`,
    'service-info',
  ])('%j is undefined', (text) => {
    expect(parse(text)).toBeUndefined();
  });
});

test('any name in another namespace is a CURIE, and an empty name is undefined', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const expected = name === '' ? undefined : { kind: 'curie', namespace: 'insdc', name };
      expect(parse(`INSDC:${name}`)).toEqual(expected);
    }),
  );
});

test('a changed character never results in the digest of the original', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(MD5, TRUNC512, SQ),
      fc.nat(30),
      fc.string({ minLength: 1, maxLength: 1 }),
      (text, at, by) => {
        const changed = text.slice(0, at) + by + text.slice(at + 1);
        fc.pre(changed !== text && (text === SQ || changed.toLowerCase() !== text));
        expect(parse(changed)).not.toEqual(parse(text));
      },
    ),
  );
});

describe('a long identifier', () => {
  const withMalformedNamespace = (length: number): string => `${'a'.repeat(length)}é:x`;

  test('is undefined', () => {
    expect(parse('a'.repeat(1_000_000))).toBeUndefined();
    expect(parse(withMalformedNamespace(1_000_000))).toBeUndefined();
  });

  test('is parsed in linear time', () => {
    expect(excessGrowth(withMalformedNamespace, parse, { size: 25_000 })).toBeLessThan(8);
  });
});

describe('formatting', () => {
  const format = (identifier: SequenceIdentifier, authority = 'ga4gh') =>
    formatSequenceIdentifier(identifier, { authority });

  test.each<[SequenceIdentifier, string]>([
    [md5, `md5:${MD5}`],
    [trunc512, `trunc512:${TRUNC512}`],
    [sha512t24u, `ga4gh:${SQ}`],
    [{ kind: 'curie', namespace: 'insdc', name: 'BK006935.2' }, 'insdc:BK006935.2'],
    [{ kind: 'curie', namespace: 'hla', name: 'HLA:00001' }, 'hla:HLA:00001'],
  ])('%j is formatted with its namespace', (identifier, expected) => {
    expect(format(identifier)).toBe(expected);
  });

  test('an SQ. digest has the namespace of the given authority', () => {
    expect(format(sha512t24u, 'std')).toBe(`std:${SQ}`);
  });

  test.each<[string, SequenceIdentifier, string]>([
    ['an upper-case MD5', { kind: 'md5', digest: MD5.toUpperCase() }, 'ga4gh'],
    ['a TRUNC512 as MD5', { kind: 'md5', digest: TRUNC512 }, 'ga4gh'],
    ['an upper-case TRUNC512', { kind: 'trunc512', digest: TRUNC512.toUpperCase() }, 'ga4gh'],
    ['a digest without SQ.', { kind: 'sha512t24u', digest: SQ.slice(3) }, 'ga4gh'],
    ['an upper-case authority', sha512t24u, 'GA4GH'],
    ['the authority md5', sha512t24u, 'md5'],
    ['an authority with a colon', sha512t24u, 'a:b'],
    ['an upper-case namespace', { kind: 'curie', namespace: 'INSDC', name: 'x' }, 'ga4gh'],
    ['a namespace with a colon', { kind: 'curie', namespace: 'a:b', name: 'x' }, 'ga4gh'],
    ['an empty namespace', { kind: 'curie', namespace: '', name: 'x' }, 'ga4gh'],
    ['an empty name', { kind: 'curie', namespace: 'insdc', name: '' }, 'ga4gh'],
    ['the namespace of a digest', { kind: 'curie', namespace: 'md5', name: MD5 }, 'ga4gh'],
    ['the namespace of the authority', { kind: 'curie', namespace: 'ga4gh', name: SQ }, 'ga4gh'],
  ])('rejects %s, which would not parse to the same', (_, identifier, authority) => {
    expect(() => format(identifier, authority)).toThrow(expect.objectContaining({ code: 'INVALID_IDENTIFIER' }));
  });

  test('a formatted identifier parses to the same identifier', () => {
    const digit = fc.constantFrom(...'0123456789abcdef'.split(''));
    const base64 = fc.string({ unit: fc.constantFrom(...'AZaz09-_'.split('')), minLength: 32, maxLength: 32 });
    const identifiers = fc.oneof(
      fc.string({ unit: digit, minLength: 32, maxLength: 32 }).map((digest) => ({ kind: 'md5' as const, digest })),
      fc.string({ unit: digit, minLength: 48, maxLength: 48 }).map((digest) => ({ kind: 'trunc512' as const, digest })),
      base64.map((text) => ({ kind: 'sha512t24u' as const, digest: `SQ.${text}` })),
      fc.record({
        kind: fc.constant('curie' as const),
        namespace: fc.constantFrom('insdc', 'refseq', '0', 'a.b-c_d'),
        name: fc.string({ unit: 'grapheme', minLength: 1 }),
      }),
    );
    fc.assert(
      fc.property(identifiers, fc.constantFrom('ga4gh', 'std'), (identifier, authority) => {
        expect(parse(format(identifier, authority))).toEqual(identifier);
      }),
    );
  });
});
