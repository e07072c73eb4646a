import { describe, expect, test } from 'vitest';
import { formatRegion, parseRegion, RegionError } from '../../src/stored-file/parse-region.js';

describe('parseRegion', () => {
  test('rejects malformed text with an error of usage', () => {
    expect(parseRegion('chr1:1,000-2k', undefined)).toEqual({ referenceName: 'chr1', start: 999, end: 2000 });
    expect(() => parseRegion('chr1:10-5', undefined)).toThrow(
      new RegionError('region "chr1:10-5" ends before it begins'),
    );
  });

  test.each([
    ['c\\udce9:5-9', { referenceName: 'c\udce9', start: 4, end: 9 }],
    ['{c\\uDCE9:\udce8}', { referenceName: 'c\udce9:\udce8' }],
  ])('reads bytes of names as JSON has them: %j', (text, region) => {
    expect(parseRegion(text, undefined)).toEqual(region);
  });

  test.each([{ referenceName: 'c\udce9', start: 4, end: 9 }, { referenceName: 'c\udce9:\udce8é' }])(
    '%j is parsed as it is formatted, in well-formed text',
    (region) => {
      expect(parseRegion(formatRegion(region), undefined)).toEqual(region);
      expect(encodeURIComponent(formatRegion(region))).toContain('%5Cudce9');
    },
  );
});

describe('formatRegion', () => {
  test.each(['chr1', '*', 'chr1:1,000-2,000', 'chr1:1,000-', '{HLA-B*01:02}:3-4', '{HLA-B*01:02}'])('%s', (text) => {
    expect(formatRegion(parseRegion(text, undefined))).toBe(text);
  });
});
