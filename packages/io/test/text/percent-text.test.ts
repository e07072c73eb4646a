import { volume } from '@htskit/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '../../src/text/escaped-text.js';
import { decodePercents, encodePercents } from '../../src/text/percent-text.js';

test.each<[string, string]>([
  ['c%E9', 'c\udce9'],
  ['c%C3%A9', 'cé'],
  ['%c3%A9', 'é'],
  ['100%', '100%'],
  ['%4', '%4'],
  ['%+1%25', '%+1%'],
  ['é%E9', 'é\udce9'],
])('decodes %s', (encoded, text) => {
  expect(decodePercents(encoded)).toBe(text);
});

test('encodes bytes that are not UTF-8 as they are', () => {
  expect(encodePercents('c\udce9 é/:😀')).toBe('c%E9%20%C3%A9%2F%3A%F0%9F%98%80');
});

test('decodes what it encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = decodeText(bytes);
      expect(decodePercents(encodePercents(text))).toBe(text);
    }),
    { numRuns: volume(5000) },
  );
});
