import { volume } from '@htskit/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { characterStart, decodeText, encodeText } from '../../src/text/escaped-text.js';

/** Bytes that form characters, or nearly so, more often than random ones. */
const bytesOfText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }).map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0xf4, 0x90)
        .map((byte) => Uint8Array.of(byte)),
    ),
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

test.each<[string, number[], string]>([
  ['ASCII', [0x63, 0x31], 'c1'],
  ['no bytes', [], ''],
  ['UTF-8', [0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80], 'é😀'],
  ['U+FFFD, which the text has', [0xef, 0xbf, 0xbd], '\ufffd'],
  ['Latin-1', [0x63, 0xe9, 0x64], 'c\udce9d'],
  ['a character that is cut', [0xe2, 0x82], '\udce2\udc82'],
  ['bytes after a pair of surrogates', [0xf0, 0x90, 0x82, 0x80, 0x80], '\ud800\udc80\udc80'],
  ['a surrogate in three bytes', [0xed, 0xb3, 0xa9], '\udced\udcb3\udca9'],
  ['an overlong form', [0xc0, 0xaf], '\udcc0\udcaf'],
])('%s is decoded and encoded', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
  expect([...encodeText(text)]).toEqual(bytes);
});

test('decoded text is encoded as the same bytes', () => {
  fc.assert(
    fc.property(bytesOfText, (bytes) => {
      expect(encodeText(decodeText(bytes))).toEqual(bytes);
    }),
    { numRuns: volume(20_000) },
  );
});

test('text of UTF-8 is what TextDecoder returns', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeText(new TextEncoder().encode(text))).toBe(text);
      expect(encodeText(text)).toEqual(new TextEncoder().encode(text));
    }),
    { numRuns: volume(2000) },
  );
});

test('long text that is not UTF-8 is decoded in parts', () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, at) => [0xe9, 0xf0, 0x9f, 0x98, 0x80, 0x41][at % 6] ?? 0);
  expect(encodeText(decodeText(bytes))).toEqual(bytes);
});

test('a lone surrogate that stands for no byte is encoded as U+FFFD', () => {
  expect([...encodeText('\ud800a\udc00\udce9')]).toEqual([0xef, 0xbf, 0xbd, 0x61, 0xef, 0xbf, 0xbd, 0xe9]);
});

describe('characterStart', () => {
  test('splits text such that its parts are decoded alike', () => {
    fc.assert(
      fc.property(bytesOfText, fc.nat(), (bytes, offset) => {
        const at = offset % (bytes.length + 1);
        const start = characterStart(bytes, at);
        expect(at - start).toBeLessThanOrEqual(3);
        expect(decodeText(bytes, 0, start) + decodeText(bytes, start)).toBe(decodeText(bytes));
      }),
      { numRuns: volume(20_000) },
    );
  });
});
