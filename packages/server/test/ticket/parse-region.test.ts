import { describe, expect, test } from 'vitest';
import { formatRegion, parseRegion, RegionError } from '../../src/ticket/parse-region.js';

const references = new Set(['chr1', 'chr1:1-100', 'HLA-A*01:01']);
const parse = (text: string): unknown => parseRegion(text, (name) => references.has(name));

describe('parseRegion', () => {
  test.each([
    ['chr1', { referenceName: 'chr1' }],
    ['*', { referenceName: '*' }],
    ['chr1:1,000-2,000', { referenceName: 'chr1', start: 999, end: 2000 }],
    ['chr1:5-5', { referenceName: 'chr1', start: 4, end: 5 }],
    ['chr1:1000', { referenceName: 'chr1', start: 999 }],
    ['chr1:1000-', { referenceName: 'chr1', start: 999 }],
    ['chr1:-1000', { referenceName: 'chr1', start: 0, end: 1000 }],
    // The whole text first, then up to its last colon.
    ['chr1:1-100', { referenceName: 'chr1:1-100' }],
    ['chr1:1-100:3-4', { referenceName: 'chr1:1-100', start: 2, end: 4 }],
    ['{chr1}:1-100', { referenceName: 'chr1', start: 0, end: 100 }],
    ['HLA-A*01:01', { referenceName: 'HLA-A*01:01' }],
    ['HLA-A*01:01:2', { referenceName: 'HLA-A*01:01', start: 1 }],
    ['{HLA-B*01:02}', { referenceName: 'HLA-B*01:02' }],
    ['{HLA-B*01:02}:3-4', { referenceName: 'HLA-B*01:02', start: 2, end: 4 }],
    ['unknown:name', { referenceName: 'unknown:name' }],
    ['chr1:', { referenceName: 'chr1:' }],
  ])('%s', (text, region) => {
    expect(parse(text)).toEqual(region);
  });

  test.each(['', 'chr1:0-5', 'chr1:0', 'chr1:10-5', 'chr1:-', 'chr1:9007199254740993', '{chr1}:x', '{chr1}:'])(
    'refuses "%s"',
    (text) => {
      expect(() => parse(text)).toThrow(RegionError);
    },
  );
});

describe('formatRegion', () => {
  test.each(['chr1', '*', 'chr1:1,000-2,000', 'chr1:1,000-', '{HLA-B*01:02}:3-4', '{HLA-B*01:02}'])('%s', (text) => {
    expect(formatRegion(parseRegion(text, () => false))).toBe(text);
  });
});
