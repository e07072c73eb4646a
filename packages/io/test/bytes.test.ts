import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from '../src/index.js';

test('concatenates parts in order', () => {
  expect(concatBytes([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)])).toEqual(Uint8Array.of(1, 2, 3));
  expect(concatBytes([])).toEqual(new Uint8Array());
});

test('returns a single part without a copy', () => {
  const part = Uint8Array.of(1, 2);
  expect(concatBytes([part])).toBe(part);
});

test('encodes as Buffer does, and decodes what it encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      expect(toHex(bytes)).toBe(buffer.toString('hex'));
      expect(toBase64(bytes)).toBe(buffer.toString('base64'));
      expect(toBase64Url(bytes)).toBe(buffer.toString('base64url'));
      expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['0', '0g', 'ab c'])('refuses %j as hexadecimal digits', (text) => {
  expect(() => fromHex(text)).toThrow('expected pairs of hexadecimal digits');
});

test('refuses text that is not Base64', () => {
  expect(() => fromBase64('***')).toThrow(DOMException);
});
