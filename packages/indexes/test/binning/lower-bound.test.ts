import { describe, expect, test } from 'vitest';
import { parseBai, parseCsi } from '../../src/index.js';
import { buildBai, chunkOf, type ReferenceParts } from '../support/build-bai.js';
import { buildCsi, type CsiReferenceParts } from '../support/build-csi.js';
import { tabixHeader } from '../support/build-tabix.js';

const WINDOW = 16384;
const NONE = { coffset: 0, uoffset: 0 };
const mappedOnly = { mapped: 9, unmapped: 0 };

const at = (coffset: number) => ({ coffset, uoffset: 7 });

/** Returns the start of the chunks of one base. Bin 0 contains all records, so only the linear index limits them. */
function linearBound(window: number, { bins = [], ...parts }: ReferenceParts) {
  const index = parseBai(buildBai([{ bins: [[0, [chunkOf([1, 0], [99, 0])]], ...bins], ...parts }]));
  return index.chunks({ referenceId: 0, start: window * WINDOW, end: window * WINDOW + 1 })[0]?.start;
}

describe('the lower bound of a BAI', () => {
  test('is the entry of the window in which the region starts', () => {
    const parts = { pseudoBin: mappedOnly, windows: [at(10), at(20), at(30)] };
    expect([0, 1, 2].map((window) => linearBound(window, parts))).toEqual([at(10), at(20), at(30)]);
  });

  test('is missing without a linear index', () => {
    expect(linearBound(3, { pseudoBin: mappedOnly })).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('of a window after the last is the last entry', () => {
    expect(linearBound(1000, { pseudoBin: mappedOnly, windows: [at(10), at(20), NONE] })).toEqual(at(20));
  });

  test('of a window without an entry is the previous entry', () => {
    const parts = { pseudoBin: mappedOnly, windows: [NONE, at(10), NONE, NONE, at(20)] };
    expect(linearBound(3, parts)).toEqual(at(10));
    expect(linearBound(0, parts)).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('skips an entry that was never set, which HTSlib writes after records without bases', () => {
    const unset = { coffset: 2 ** 48 - 1, uoffset: 65535 };
    const parts = { pseudoBin: mappedOnly, windows: [at(10), unset, unset, at(20)] };
    expect(linearBound(2, parts)).toEqual(at(10));
  });

  test('is not after the leaf bin of the window if there may be placed unmapped reads', () => {
    const bins = [[4682, [chunkOf([25, 0], [26, 0]), chunkOf([15, 0], [16, 0])]]] as const;
    expect(linearBound(1, { bins, windows: [at(10), at(20)] })).toEqual({ coffset: 15, uoffset: 0 });
    expect(linearBound(1, { bins, windows: [at(10), at(12)] })).toEqual(at(12));
  });

  test('is an earlier record if that bin was merged into its parent and there may be such reads', () => {
    const windows = [at(10), at(20), at(20), at(20)];
    expect(linearBound(3, { pseudoBin: { mapped: 9, unmapped: 1 }, windows })).toEqual(at(10));
    expect(linearBound(3, { windows })).toEqual(at(10));
    expect(linearBound(3, { pseudoBin: mappedOnly, windows })).toEqual(at(20));
    expect(linearBound(0, { windows })).toEqual({ coffset: 1, uoffset: 0 });
  });
});

/** Creates bins from their loffsets by number, each with a chunk at the end of the file. */
function bins(loffsets: Readonly<Record<number, { coffset: number; uoffset: number }>>) {
  return Object.entries(loffsets).map(([number, loffset]) => {
    return { number: Number(number), loffset, chunks: [chunkOf([98, 0], [99, 0])] };
  });
}

/** Returns the start of the chunks of one base. Bin 0 contains all records, so only loffsets limit them. */
function loffsetBound(window: number, parts: CsiReferenceParts, auxiliaryData: Uint8Array = new Uint8Array(0)) {
  const all = { number: 0, loffset: NONE, chunks: [chunkOf([1, 0], [99, 0])] };
  const index = parseCsi(buildCsi([{ ...parts, bins: [all, ...(parts.bins ?? [])] }], { auxiliaryData }));
  return index.chunks({ referenceId: 0, start: window * WINDOW, end: window * WINDOW + 1 })[0]?.start;
}

describe('the lower bound of a CSI', () => {
  test('is the loffset of the smallest bin in which the region starts', () => {
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4681: at(10), 4682: at(20), 585: at(10) }) };
    expect([0, 1].map((window) => loffsetBound(window, parts))).toEqual([at(10), at(20)]);
  });

  test('is the loffset of the last bin before the region, on any level', () => {
    // 4682 begins at window 1, 586 at window 8, 4693 at window 12, 74 at window 64
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4682: at(20), 586: at(30), 4693: at(40), 74: at(50) }) };
    expect([1, 7, 8, 11, 12, 63, 64, 9999].map((window) => loffsetBound(window, parts)?.coffset)).toEqual([
      20, 20, 30, 30, 40, 40, 50, 50,
    ]);
    expect(loffsetBound(0, parts)).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('skips a loffset that is 0 or was never set', () => {
    const parts = { pseudoBin: mappedOnly, bins: bins({ 4681: at(10), 4682: NONE, 4683: NONE }) };
    expect(loffsetBound(2, parts)).toEqual(at(10));
    const unset = { coffset: 2 ** 48 - 1, uoffset: 65535 };
    expect(loffsetBound(2, { ...parts, bins: bins({ 4681: at(10), 4683: unset }) })).toEqual(at(10));
  });

  test('is not after the chunks of that bin if there may be placed unmapped reads', () => {
    const leaf = { number: 4682, loffset: at(20), chunks: [chunkOf([25, 0], [26, 0]), chunkOf([15, 0], [16, 0])] };
    expect(loffsetBound(1, { bins: [leaf] })).toEqual({ coffset: 15, uoffset: 0 });
    expect(loffsetBound(1, { bins: [leaf], pseudoBin: mappedOnly })).toEqual(at(20));
    expect(loffsetBound(1, { bins: [{ ...leaf, loffset: at(12) }] })).toEqual(at(12));
  });

  test('is an earlier record if that bin was merged into its parent and there may be such reads', () => {
    const parts = { bins: bins({ 4681: at(10), 4682: at(20), 4683: at(20) }) };
    expect(loffsetBound(3, { ...parts, pseudoBin: { mapped: 9, unmapped: 1 } })).toEqual(at(10));
    expect(loffsetBound(3, parts)).toEqual(at(10));
    expect(loffsetBound(3, { ...parts, pseudoBin: mappedOnly })).toEqual(at(20));
    expect(loffsetBound(3, parts, tabixHeader('chr1\0'))).toEqual(at(20));
  });
});
