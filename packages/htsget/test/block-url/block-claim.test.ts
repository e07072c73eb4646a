import { describe, expect, test } from 'vitest';
import { type BlockClaim, BlockClaimSigner, peekBlockClaim } from '../../src/block-url/block-claim.js';
import {
  fitsUrl,
  MAX_INTERVAL_CHARACTERS,
  MAX_INTERVALS,
  packedLength,
  packIntervals,
  unpackIntervals,
} from '../../src/plan/packed-intervals.js';

const key = new Uint8Array(32).fill(1);
const otherKey = new Uint8Array(32).fill(2);
const now = Date.UTC(2026, 0, 1);
const claim: BlockClaim = {
  datatype: 'reads',
  id: 'cohort/Ünïcode sample',
  format: 'BAM',
  version: '17-42',
  expires: now / 1000 + 60,
  segments: [
    {
      kind: 'cut',
      class: 'body',
      start: { coffset: 2 ** 47, uoffset: 65535 },
      end: { coffset: 2 ** 47 + 9, uoffset: 0 },
      intervals: [{ referenceId: 1, referenceName: 'chr1', start: 10, end: 20 }],
    },
    {
      kind: 'cut',
      class: 'body',
      start: { coffset: 1, uoffset: 2 },
      end: { coffset: 3, uoffset: 4 },
      intervals: [],
      recordsFrom: 0,
    },
    {
      kind: 'cut',
      class: 'body',
      start: { coffset: 1, uoffset: 2 },
      end: { coffset: 3, uoffset: 4 },
      intervals: [{ referenceId: 1, referenceName: 'chr1', start: 10, end: 20 }],
      lengthKeys: { svlen: 7 },
    },
    {
      kind: 'cut',
      class: 'body',
      start: { coffset: 1, uoffset: 2 },
      end: { coffset: 3, uoffset: 4 },
      intervals: [{ referenceId: 1, referenceName: 'chr1', start: 10, end: 20 }],
      isUnsorted: true,
    },
    { kind: 'cut', class: 'header', start: { coffset: 0, uoffset: 0 }, end: { coffset: 5, uoffset: 6 } },
    { kind: 'range', class: 'header', start: 0, end: 2 ** 50 },
    { kind: 'range', class: 'body', start: 7, end: 8 },
  ],
};

describe('BlockClaimSigner', () => {
  const signer = new BlockClaimSigner([key]);

  test('reads back what it signed', () => {
    expect(signer.verify(signer.sign(claim), now)).toEqual(claim);
  });

  test('shows the claim of a token, also of another service', () => {
    expect(peekBlockClaim(signer.sign(claim))).toEqual(claim);
    expect(peekBlockClaim(new BlockClaimSigner([otherKey]).sign(claim))).toEqual(claim);
    for (const text of ['', 'abc.def']) expect(peekBlockClaim(text)).toBeUndefined();
    for (const segments of [undefined, null, {}, [null], [[1, 0, 0, 1, 1, [5]]]]) {
      const token = `${btoa(JSON.stringify({ datatype: 'reads', id: 'a', segments }))}.x`;
      expect(peekBlockClaim(token), JSON.stringify(segments)).toBeUndefined();
    }
  });

  test('signs into one URL path segment', () => {
    expect(signer.sign(claim)).toMatch(/^[\w-]+\.[\w-]+$/);
  });

  test('refuses a token that differs in any character', () => {
    const token = signer.sign(claim);
    for (let i = 0; i < token.length; i++) {
      const tampered = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(() => signer.verify(tampered, now), `character ${i}`).toThrow(/not issued by this service/);
    }
  });

  test.each(['', '.', 'a.b', 'a', '.a', '%%%.%%%', 'a.b.c'])('refuses %j', (token) => {
    expect(() => signer.verify(token, now)).toThrow(/not issued by this service/);
  });

  test('refuses a token when it has expired', () => {
    const token = signer.sign(claim);
    expect(signer.verify(token, claim.expires * 1000 - 1)).toEqual(claim);
    expect(() => signer.verify(token, claim.expires * 1000)).toThrow(/has expired/);
    const { expires: _, ...endless } = claim;
    expect(() => signer.verify(signer.sign(endless as BlockClaim), now)).toThrow(/has expired/);
  });

  test('accepts the tokens of every key, and signs with the first', () => {
    const rotated = new BlockClaimSigner([otherKey, key]);
    expect(rotated.verify(signer.sign(claim), now)).toEqual(claim);
    expect(() => signer.verify(rotated.sign(claim), now)).toThrow(/not issued by this service/);
  });

  test('refuses a key of fewer than 16 bytes', () => {
    expect(() => new BlockClaimSigner([new Uint8Array(15)])).toThrow(RangeError);
  });
});

const intervals = [
  { referenceId: -1, referenceName: '*', start: -(2 ** 31), end: Number.MAX_SAFE_INTEGER },
  { referenceId: 0, referenceName: 'chr1', start: 10, end: 20 },
  { referenceId: 0, referenceName: 'chr1', start: 40, end: 2 ** 40 },
  { referenceId: 1, referenceName: 'HLA-A*01:01:01:01', start: 0, end: 1 },
];

test('unpacking is the inverse of packing', () => {
  expect(unpackIntervals(packIntervals(intervals))).toEqual(intervals);
  expect(unpackIntervals(packIntervals([]))).toEqual([]);
});

test('names each reference once', () => {
  expect(packIntervals(intervals)[1]).toEqual([0, 'chr1', 10, 20, 40, 2 ** 40]);
});

test('the most intervals of a cut fit into a URL, even with a long reference name', () => {
  const referenceName = 'scaffold'.repeat(100);
  const many = Array.from({ length: MAX_INTERVALS }, (_, i) => {
    return { referenceId: 4_000_000, referenceName, start: 2 ** 31 + 100 * i, end: 2 ** 31 + 100 * i + 50 };
  });
  expect(packedLength(many)).toBeLessThan(MAX_INTERVAL_CHARACTERS);
});

test.each([
  ['a name of 256 characters', 'é'.repeat(256), true],
  ['a name of 600 characters that are escaped', 'é'.repeat(600), false],
  ['a name of 600 characters that are not', 'e'.repeat(600), true],
])('measures whether an interval with %s fits into a URL', (_, referenceName, fits) => {
  const intervals = [{ referenceId: 2 ** 31 - 1, referenceName, start: 0, end: Number.MAX_SAFE_INTEGER }];
  expect(fitsUrl(intervals)).toBe(fits);
  expect(packedLength(intervals) <= MAX_INTERVAL_CHARACTERS).toBe(fits);
});
