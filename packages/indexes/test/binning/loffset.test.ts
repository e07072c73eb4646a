import { describe, expect, test } from 'vitest';
import { parseCsi } from '../../src/index.js';
import { chunkOf } from '../build-bai.js';
import { buildCsi, type CsiReferenceParts } from '../build-csi.js';
import { tabixHeader } from '../build-tabix.js';

const WINDOW = 16384;
const NONE = { coffset: 0, uoffset: 0 };
const mappedOnly = { mapped: 9, unmapped: 0 };

const at = (coffset: number) => ({ coffset, uoffset: 7 });

/** Bins by number, each with its loffset, and a chunk at the end. */
function bins(loffsets: Readonly<Record<number, { coffset: number; uoffset: number }>>) {
  return Object.entries(loffsets).map(([number, loffset]) => {
    return { number: Number(number), loffset, chunks: [chunkOf([98, 0], [99, 0])] };
  });
}

/** Where the chunks of one base begin. Bin 0 holds all records, so that nothing but loffsets tells. */
function lowerBound(window: number, parts: CsiReferenceParts, auxiliaryData: Uint8Array = new Uint8Array(0)) {
  const all = { number: 0, loffset: NONE, chunks: [chunkOf([1, 0], [99, 0])] };
  const index = parseCsi(buildCsi([{ ...parts, bins: [all, ...(parts.bins ?? [])] }], { auxiliaryData }));
  return index.chunks({ referenceId: 0, start: window * WINDOW, end: window * WINDOW + 1 })[0]?.start;
}

describe('the lower bound of a CSI', () => {
  test('is the loffset of the smallest bin in which the region starts', () => {
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4681: at(10), 4682: at(20), 585: at(10) }) };
    expect([0, 1].map((window) => lowerBound(window, parts))).toEqual([at(10), at(20)]);
  });

  test('is that of the last bin before the region, on any level', () => {
    // 4682 begins at window 1, 586 at window 8, 4693 at window 12, 74 at window 64
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4682: at(20), 586: at(30), 4693: at(40), 74: at(50) }) };
    expect([1, 7, 8, 11, 12, 63, 64, 9999].map((window) => lowerBound(window, parts)?.coffset)).toEqual([
      20, 20, 30, 30, 40, 40, 50, 50,
    ]);
    expect(lowerBound(0, parts)).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('passes over a loffset of 0, or one that was never set, which tells nothing', () => {
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4681: at(10), 4682: NONE, 4683: NONE }) };
    expect(lowerBound(2, parts)).toEqual(at(10));
    const unset = { coffset: 2 ** 48 - 1, uoffset: 65535 };
    expect(lowerBound(2, { ...parts, bins: bins({ 4681: at(10), 4683: unset }) })).toEqual(at(10));
  });

  test('is not behind the chunks of that bin, where placed unmapped reads may be', () => {
    const leaf = { number: 4682, loffset: at(20), chunks: [chunkOf([25, 0], [26, 0]), chunkOf([15, 0], [16, 0])] };
    expect(lowerBound(1, { bins: [leaf] })).toEqual({ coffset: 15, uoffset: 0 });
    expect(lowerBound(1, { bins: [leaf], pseudoBin: mappedOnly })).toEqual(at(20));
    expect(lowerBound(1, { bins: [{ ...leaf, loffset: at(12) }] })).toEqual(at(12));
  });

  test('is an earlier record where that bin was merged into its parent and there may be such reads', () => {
    const parts = { bins: bins({ 4681: at(10), 4682: at(20), 4683: at(20) }) };
    expect(lowerBound(3, { ...parts, pseudoBin: { mapped: 9, unmapped: 1 } })).toEqual(at(10));
    expect(lowerBound(3, parts)).toEqual(at(10));
    expect(lowerBound(3, { ...parts, pseudoBin: mappedOnly })).toEqual(at(20));
    expect(lowerBound(3, parts, tabixHeader('chr1\0'))).toEqual(at(20));
  });
});
