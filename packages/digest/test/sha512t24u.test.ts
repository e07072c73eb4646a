import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DigestError } from '../src/digest-error.js';
import { fromTrunc512, Sha512t24uDigester, sha512t24u, toTrunc512 } from '../src/sha512t24u.js';

const ascii = (text: string) => new TextEncoder().encode(text);

// Computed with coreutils: printf … | sha512sum | cut -c1-48 | xxd -r -p | base64 | tr '+/' '-_'
const VECTORS: readonly [string, string, string][] = [
  ['', 'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc', 'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc'],
  ['ACGT', 'aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2', '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac36'],
];

test.each(VECTORS)('sha512t24u of "%s" equals that of coreutils', (text, expected) => {
  expect(sha512t24u(ascii(text))).toBe(expected);
});

test('pieces result in the digest of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (pieces) => {
      const digester = new Sha512t24uDigester();
      for (const piece of pieces) digester.update(piece);
      expect(digester.digest()).toBe(sha512t24u(Uint8Array.from(pieces.flatMap((piece) => [...piece]))));
    }),
  );
});

test('returns a digest once', () => {
  const digester = new Sha512t24uDigester();
  digester.digest();
  const finished = expect.objectContaining({ code: 'ALREADY_FINISHED' }) as unknown;
  expect(() => digester.digest()).toThrow(finished);
  expect(() => digester.update(new Uint8Array(1))).toThrow(finished);
});

test.each(VECTORS)('"%s": converts both truncated forms into each other', (_, base64, hexadecimal) => {
  expect(toTrunc512(`SQ.${base64}`)).toBe(hexadecimal);
  expect(fromTrunc512(hexadecimal)).toBe(`SQ.${base64}`);
  expect(fromTrunc512(hexadecimal.toUpperCase())).toBe(`SQ.${base64}`);
});

test('digests the level 1 object of the sequence collections specification to its published digest', () => {
  const inherent = '{"names":"g04lKdxiYtG3dOGeUC5AdKEifw65G0Wp","sequences":"rD29ZKmEqwwHRXjiQ36p6UMZQ5hemmsb"}';
  expect(sha512t24u(ascii(inherent))).toBe('sjNNwm4zov3Dl0FRWbRTcZwzqrTQKIqL');
});

test('every TRUNC512 round-trips', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 24 }), (bytes) => {
      const hexadecimal = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      expect(toTrunc512(fromTrunc512(hexadecimal))).toBe(hexadecimal);
    }),
  );
});

test.each(['', 'SQ.', 'sq.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2', 'aKF498dAxcJAome6QYQ7EZ07-fiw8Kw2'])(
  'rejects %j as an SQ. digest',
  (text) => {
    expect(() => toTrunc512(text)).toThrow(DigestError);
  },
);

test.each(['', '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac3', '68a178f7c740c5c240aa67ba41843b119d3bf9f8b0f0ac3g'])(
  'rejects %j as a TRUNC512',
  (text) => {
    expect(() => fromTrunc512(text)).toThrow(expect.objectContaining({ code: 'INVALID_DIGEST' }));
  },
);
