import { describe, expect, test } from 'vitest';
import { formatRegion, parseRegion, RegionError } from '../../src/stored-file/parse-region.js';

test('parseRegion rejects malformed text with an error of usage', () => {
  expect(parseRegion('chr1:1,000-2k', undefined)).toEqual({ referenceName: 'chr1', start: 999, end: 2000 });
  expect(() => parseRegion('chr1:10-5', undefined)).toThrow(
    new RegionError('region "chr1:10-5" ends before it begins'),
  );
});

describe('formatRegion', () => {
  test.each(['chr1', '*', 'chr1:1,000-2,000', 'chr1:1,000-', '{HLA-B*01:02}:3-4', '{HLA-B*01:02}'])('%s', (text) => {
    expect(formatRegion(parseRegion(text, undefined))).toBe(text);
  });
});
