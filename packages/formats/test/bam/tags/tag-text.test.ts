import { describe, expect, test } from 'vitest';
import { decodeTagText } from '../../../src/bam/tags/tag-text.js';

/** More texts than are kept, so that some replace others. */
const COUNT = 5000;

describe('decodeTagText', () => {
  test('decodes texts whose hashes are alike, again and again', () => {
    const texts = Array.from({ length: COUNT }, (_, n) => `${n}A${n % 7}`);
    const twice = [...texts, ...texts.toReversed()];
    const decoded = twice.map((text) => {
      const bytes = new TextEncoder().encode(`-${text}-`);
      return decodeTagText(bytes, 1, bytes.length - 1);
    });
    expect(decoded).toEqual(twice);
  });

  test.each([
    ['no characters', ''],
    ['characters of several bytes', 'é€😀'],
    ['more characters than are compared', 'ACGT'.repeat(100)],
  ])('decodes %s', (_, text) => {
    const bytes = new TextEncoder().encode(text);
    for (let time = 0; time < 2; time++) expect(decodeTagText(bytes, 0, bytes.length)).toBe(text);
  });

  test('returns the same text for the same bytes until they change', () => {
    const bytes = new TextEncoder().encode('lane1');
    expect(decodeTagText(bytes, 0, 5)).toBe('lane1');
    bytes[4] = 0x32;
    expect(decodeTagText(bytes, 0, 5)).toBe('lane2');
    bytes[4] = 0xff;
    expect(decodeTagText(bytes, 0, 5)).toBe('lane\udcff');
  });
});
