import { fromHex, toHex } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { type Primitives, portablePrimitives } from '../../src/primitives/portable-primitives.js';
import { nodePrimitives, primitives } from '../../src/primitives/primitives.node.js';

const ENGINES: readonly (readonly [string, Primitives])[] = [
  ['JavaScript', portablePrimitives],
  ['OpenSSL', nodePrimitives],
];

/** The vectors of RFC 7748 §5.2: scalar, u-coordinate, result. */
const SCALAR_PRODUCTS = [
  [
    'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
    'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
    'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
  ],
  [
    '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
    'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
    '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
  ],
] as const;

/** The key pairs of RFC 7748 §6.1. */
const ALICE = {
  secret: '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a',
  public: '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
};
const BOB = {
  secret: '5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb',
  public: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
};
const SHARED = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742';

/** The points of low order on Curve25519 and its twist, which give an all-zero result. */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/** The key, the nonce, the plaintext and the ciphertext of RFC 8439 §2.8.2. The MAC is that without additional data. */
const AEAD = {
  key: fromHex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'),
  nonce: fromHex('070000004041424344454647'),
  data: new TextEncoder().encode(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  ),
};
const CIPHERTEXT =
  'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b6' +
  '7ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116';
const MAC = '6a23a4681fd59456aea1d29f82477216';

describe.each(ENGINES)('%s', (_, engine) => {
  test.each(SCALAR_PRODUCTS)('X25519 of %s agrees with RFC 7748', (scalar, point, product) => {
    expect(toHex(engine.agree(fromHex(scalar), fromHex(point)) ?? new Uint8Array())).toBe(product);
  });

  test('the key pairs of RFC 7748 agree on its shared secret', () => {
    expect(toHex(engine.publicKeyOf(fromHex(ALICE.secret)))).toBe(ALICE.public);
    expect(toHex(engine.publicKeyOf(fromHex(BOB.secret)))).toBe(BOB.public);
    expect(toHex(engine.agree(fromHex(ALICE.secret), fromHex(BOB.public)) ?? new Uint8Array())).toBe(SHARED);
    expect(toHex(engine.agree(fromHex(BOB.secret), fromHex(ALICE.public)) ?? new Uint8Array())).toBe(SHARED);
  });

  test.each(LOW_ORDER)('the point %s of low order agrees on nothing', (point) => {
    expect(engine.agree(fromHex(ALICE.secret), fromHex(point))).toBeUndefined();
  });

  test('encrypts and decrypts the text of RFC 8439', () => {
    const sealed = engine.seal(AEAD);
    expect(toHex(sealed)).toBe(CIPHERTEXT + MAC);
    expect(engine.open({ ...AEAD, data: sealed })).toEqual(AEAD.data);
  });

  test('rejects every flipped bit', () => {
    const sealed = engine.seal(AEAD);
    for (let at = 0; at < sealed.length; at++) {
      const flipped = sealed.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      expect(engine.open({ ...AEAD, data: flipped })).toBeUndefined();
    }
  });

  test.each([0, 1, 15, 16])('opens no %i bytes', (byteLength) => {
    expect(engine.open({ ...AEAD, data: new Uint8Array(byteLength) })).toBeUndefined();
  });

  test('the empty plaintext has only a MAC', () => {
    const sealed = engine.seal({ ...AEAD, data: new Uint8Array() });
    expect(sealed).toHaveLength(16);
    expect(engine.open({ ...AEAD, data: sealed })).toHaveLength(0);
  });
});

test('Node uses OpenSSL', () => {
  expect(primitives).toBe(nodePrimitives);
});
