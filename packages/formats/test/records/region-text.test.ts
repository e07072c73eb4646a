import { describe, expect, test } from 'vitest';
import { parseRegionText } from '../../src/records/region-text.js';

const references = new Set(['chr1', 'chr1:1-100', 'HLA-A*01:01']);
const parse = (text: string): unknown => parseRegionText(text, (name) => references.has(name));
const parseUnknown = (text: string): unknown => parseRegionText(text, undefined);

describe('parseRegionText', () => {
  test.each([
    ['chr1', { referenceName: 'chr1' }],
    ['*', { referenceName: '*' }],
    ['chr1:1,000-2,000', { referenceName: 'chr1', start: 999, end: 2000 }],
    ['chr1:1M-2M', { referenceName: 'chr1', start: 999_999, end: 2_000_000 }],
    ['chr1:1.5k-2.25K', { referenceName: 'chr1', start: 1499, end: 2250 }],
    ['chr1:1g', { referenceName: 'chr1', start: 999_999_999 }],
    ['chr1:5-5', { referenceName: 'chr1', start: 4, end: 5 }],
    ['chr1:1000', { referenceName: 'chr1', start: 999 }],
    ['chr1:1000-', { referenceName: 'chr1', start: 999 }],
    ['chr1:-1000', { referenceName: 'chr1', start: 0, end: 1000 }],
    ['chr1:1-100:3-4', { referenceName: 'chr1:1-100', start: 2, end: 4 }],
    ['{chr1}', { referenceName: 'chr1' }],
    ['{chr1}:1-100', { referenceName: 'chr1', start: 0, end: 100 }],
    ['{chr1:1-100}', { referenceName: 'chr1:1-100' }],
    ['{chr1:1-100}:3-4', { referenceName: 'chr1:1-100', start: 2, end: 4 }],
    ['HLA-A*01:01', { referenceName: 'HLA-A*01:01' }],
    ['HLA-A*01:01:2', { referenceName: 'HLA-A*01:01', start: 1 }],
    ['{HLA-B*01:02}', { referenceName: 'HLA-B*01:02' }],
    ['HLA-B*01:02', { referenceName: 'HLA-B*01', start: 1 }],
  ])('%s', (text, region) => {
    expect(parse(text)).toEqual(region);
  });

  test('splits a text without braces at its last colon if references are unknown', () => {
    expect(parseUnknown('HLA-A*01:01')).toEqual({ referenceName: 'HLA-A*01', start: 0 });
    expect(parseUnknown('{HLA-A*01:01}')).toEqual({ referenceName: 'HLA-A*01:01' });
  });

  test('distinguishes a name from another name with a range by braces', () => {
    expect(() => parse('chr1:1-100')).toThrow(
      'region "chr1:1-100" is ambiguous: there is also a reference chr1; write {chr1:1-100} or {chr1}:1-100',
    );
  });

  test.each(['', ':5', '*:5-9', '{*}', '{chr1', '{}', '{chr1}5', '{chr1}:', '{chr1}:x', 'chr1:', 'chr1:-', 'chr1:,'])(
    'rejects "%s" and lists the forms of a region',
    (text) => {
      const message = `"${text}" is not a valid region; expected NAME, NAME:FROM, `;
      expect(() => parse(text)).toThrow(message);
      expect(() => parseUnknown(text)).toThrow(message);
    },
  );

  test.each([
    'chr1:1.5-3',
    'chr1:1.2345k',
    'chr1:1kk',
    'chr1:1e3',
    'chr1:5x',
    'chr1:5--9',
    'unknown:name',
    'chr1:0-5',
    'chr1:0',
    'chr1:10-5',
  ])('rejects "%s"', (text) => {
    expect(() => parse(text)).toThrow(SyntaxError);
    expect(() => parseUnknown(text)).toThrow(SyntaxError);
  });

  test('rejects positions that are not safe integers', () => {
    expect(() => parse('chr1:9007199254740993')).toThrow('position 9007199254740993 is too large');
  });
});
