import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as portable from '../src/hash.js';
import * as node from '../src/hash.node.js';
import { toHex } from '../src/sha512t24u.js';

const ascii = (text: string) => new TextEncoder().encode(text);

// RFC 1321 A.5 and FIPS 180-4 (NIST example values).
const MD5_VECTORS: readonly [string, string][] = [
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
];
const SHA512_VECTORS: readonly [string, string][] = [
  [
    '',
    'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
  ],
  [
    'abc',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  ],
];

describe.each([
  ['node:crypto', node],
  ['portable', portable],
])('%s', (_, { createMd5, createSha512 }) => {
  test.each(MD5_VECTORS)('MD5 of "%s" is the published one', (text, expected) => {
    const hasher = createMd5();
    hasher.update(ascii(text));
    expect(toHex(hasher.digest())).toBe(expected);
  });

  test.each(SHA512_VECTORS)('SHA-512 of "%s" is the published one', (text, expected) => {
    const hasher = createSha512();
    hasher.update(ascii(text));
    expect(toHex(hasher.digest())).toBe(expected);
  });

  test.each([
    ['MD5', createMd5],
    ['SHA-512', createSha512],
  ])('%s of any chunks is that of the whole', (_name, create) => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (chunks) => {
        const whole = create();
        whole.update(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
        const pieces = create();
        for (const chunk of chunks) pieces.update(chunk);
        expect(toHex(pieces.digest())).toBe(toHex(whole.digest()));
      }),
      { numRuns: 30 },
    );
  });

  test('a chunk may be overwritten once it was added', () => {
    const chunk = ascii('abc');
    const hasher = createMd5();
    hasher.update(chunk);
    chunk.fill(0);
    expect(toHex(hasher.digest())).toBe('900150983cd24fb0d6963f7d28e17f72');
  });
});
