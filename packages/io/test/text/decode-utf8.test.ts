import { describe, expect, test } from 'vitest';
import { decodeAscii as decodeAsciiPortably, decodeUtf8 as decodePortably } from '../../src/text/decode-utf8.js';
import { decodeAscii as decodeAsciiInNode, decodeUtf8 as decodeInNode } from '../../src/text/decode-utf8.node.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each([
  ['portable', decodePortably],
  ['node', decodeInNode],
])('decodeUtf8, %s', (_, decodeUtf8) => {
  test.each<[string, Uint8Array, string]>([
    ['ASCII', encode('read:1'), 'read:1'],
    ['no bytes', encode(''), ''],
    ['characters of several bytes', encode('é€😀'), 'é€😀'],
    ['a byte order mark, which it keeps', encode('\uFEFFread'), '\uFEFFread'],
    ['a NUL', encode('a\0b'), 'a\0b'],
    ['bytes that are not UTF-8, each as U+FFFD', Uint8Array.of(0x61, 0xff, 0xc0, 0x62), 'a\uFFFD\uFFFDb'],
    ['a character that is cut', Uint8Array.of(0x61, 0xe2, 0x82), 'a\uFFFD'],
  ])('decodes %s', (_name, bytes, text) => {
    expect(decodeUtf8(bytes, 0, bytes.length)).toBe(text);
  });

  test('decodes a part of bytes that are themselves a part', () => {
    expect(decodeUtf8(encode('0123456789').subarray(2, 8), 1, 4)).toBe('345');
  });
});

test.each([
  ['portable', decodeAsciiPortably],
  ['node', decodeAsciiInNode],
])('decodeAscii, %s, decodes a part of bytes that are themselves a part', (_, decodeAscii) => {
  expect(decodeAscii(encode('0123456789').subarray(2, 8), 1, 4)).toBe('345');
});
