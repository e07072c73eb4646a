import { toHex } from '@htskit/io';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as portable from '../src/hash.js';
import * as node from '../src/hash.node.js';
import type { HashEngine } from '../src/wasm/wasm-hash.js';
import { hashEngines } from './hash-engines.js';

const ascii = (text: string) => new TextEncoder().encode(text);

// RFC 1321 A.5, and FIPS 180-4 (NIST example values).
const MD5_VECTORS: readonly [string, string][] = [
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
  ['1234567890'.repeat(8), '57edf4a22be3c955ac49da2e2107b67a'],
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
  [
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    '8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909',
  ],
];

const ALGORITHMS = ['createMd5', 'createSha512'] as const;

function digestOf(engine: HashEngine, algorithm: (typeof ALGORITHMS)[number], ...chunks: Uint8Array[]): string {
  const hasher = engine[algorithm]();
  for (const chunk of chunks) hasher.update(chunk);
  return toHex(hasher.digest());
}

/** Returns the same bytes in every run, all of whose blocks are different. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = Math.imul(index + 1, 0x9e3779b1) >>> 24;
  return bytes;
}

describe.each(hashEngines)('%s', (_, engine) => {
  test.each(MD5_VECTORS)('the MD5 of "%s" equals the published one', (text, expected) => {
    expect(digestOf(engine, 'createMd5', ascii(text))).toBe(expected);
  });

  test.each(SHA512_VECTORS)('the SHA-512 of "%s" equals the published one', (text, expected) => {
    expect(digestOf(engine, 'createSha512', ascii(text))).toBe(expected);
  });

  test.each(ALGORITHMS)('%s: any chunks result in the digest of the whole', (algorithm) => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (chunks) => {
        const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
        expect(digestOf(engine, algorithm, ...chunks)).toBe(digestOf(node, algorithm, whole));
      }),
    );
  });

  test.each(ALGORITHMS)('%s: each way to split 300 bytes in two results in the digest of the whole', (algorithm) => {
    const bytes = noise(300);
    const expected = digestOf(node, algorithm, bytes);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(digestOf(engine, algorithm, bytes.subarray(0, cut), bytes.subarray(cut)), `cut at ${cut}`).toBe(expected);
    }
  });

  test.each(ALGORITHMS)('%s: hashers that take turns do not interfere', (algorithm) => {
    const hashers = Array.from({ length: 50 }, () => engine[algorithm]());
    for (let turn = 0; turn < 8; turn++) {
      for (const [index, hasher] of hashers.entries()) hasher.update(noise(index * 7 + turn));
    }
    for (const [index, hasher] of hashers.entries()) {
      const chunks = Array.from({ length: 8 }, (_chunk, turn) => noise(index * 7 + turn));
      expect(toHex(hasher.digest())).toBe(digestOf(node, algorithm, ...chunks));
    }
  });

  test.each(ALGORITHMS)('%s: a chunk may be overwritten after it was added', (algorithm) => {
    const chunk = noise(200);
    const hasher = engine[algorithm]();
    hasher.update(chunk);
    chunk.fill(0);
    expect(toHex(hasher.digest())).toBe(digestOf(node, algorithm, noise(200)));
  });
});

test('the portable hashes equal those of node:crypto', () => {
  for (const algorithm of ALGORITHMS) {
    expect(digestOf(portable, algorithm, noise(1000))).toBe(digestOf(node, algorithm, noise(1000)));
  }
});

describe.each(ALGORITHMS)('%s', (algorithm) => {
  const aroundPieces = [65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 200_000];
  const lengths = [...Array.from({ length: 301 }, (_, length) => length), ...aroundPieces];

  test('all engines agree on each length from 0 to 300 and around the 65536 bytes of one copy', () => {
    for (const length of lengths) {
      const digests = hashEngines.map(([, engine]) => digestOf(engine, algorithm, noise(length)));
      expect(new Set(digests).size, `${length} bytes`).toBe(1);
    }
  });

  test('all engines agree on chunks around the 65536 bytes of one copy after an incomplete block', () => {
    for (const pending of [1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129]) {
      for (const length of aroundPieces) {
        const chunks = [noise(pending), noise(length)];
        const digests = hashEngines.map(([, engine]) => digestOf(engine, algorithm, ...chunks));
        expect(new Set(digests).size, `${pending} and ${length} bytes`).toBe(1);
      }
    }
  });
});
