import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataUri } from '../../src/htsget/ticket.js';

// RFC 4648 §10
test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
])('encodes the bytes of %j as %j', (text, base64) => {
  expect(dataUri(new TextEncoder().encode(text))).toBe(`data:;base64,${base64}`);
});

test('encodes any bytes as base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(dataUri(bytes)).toBe(`data:;base64,${Buffer.from(bytes).toString('base64')}`);
    }),
  );
});

test('encodes only the view of a larger buffer', () => {
  expect(dataUri(new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4))).toBe('data:;base64,AgME');
});

test('encodes megabytes', () => {
  const bytes = new Uint8Array(5_000_000).map((_, index) => index * 7);
  expect(dataUri(bytes)).toBe(`data:;base64,${Buffer.from(bytes).toString('base64')}`);
});
