import { describe, expect, test } from 'vitest';
import { parseBai } from '../../src/index.js';
import { buildBai, chunkOf, type ReferenceParts } from '../build-bai.js';

const WINDOW = 16384;
const NONE = { coffset: 0, uoffset: 0 };

/** Where the chunks of one base begin. Bin 0 holds all records, so that nothing but the linear index tells. */
function lowerBound(window: number, { bins = [], ...parts }: ReferenceParts) {
  const index = parseBai(buildBai([{ bins: [[0, [chunkOf([1, 0], [99, 0])]], ...bins], ...parts }]));
  return index.chunks({ referenceId: 0, start: window * WINDOW, end: window * WINDOW + 1 })[0]?.start;
}

const at = (coffset: number) => ({ coffset, uoffset: 7 });

describe('the lower bound', () => {
  const mappedOnly = { mapped: 9, unmapped: 0 };

  test('is the entry of the window in which the region starts', () => {
    const parts = { pseudoBin: mappedOnly, windows: [at(10), at(20), at(30)] };
    expect([0, 1, 2].map((window) => lowerBound(window, parts))).toEqual([at(10), at(20), at(30)]);
  });

  test('is missing where there is no linear index', () => {
    expect(lowerBound(3, { pseudoBin: mappedOnly })).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('is the last entry for a window behind the last', () => {
    expect(lowerBound(1000, { pseudoBin: mappedOnly, windows: [at(10), at(20), NONE] })).toEqual(at(20));
  });

  test('is the entry before for a window without one', () => {
    const parts = { pseudoBin: mappedOnly, windows: [NONE, at(10), NONE, NONE, at(20)] };
    expect(lowerBound(3, parts)).toEqual(at(10));
    expect(lowerBound(0, parts)).toEqual({ coffset: 1, uoffset: 0 });
  });

  test('passes over an entry that was never set, which HTSlib writes behind records without a base', () => {
    const unset = { coffset: 2 ** 48 - 1, uoffset: 65535 };
    const parts = { pseudoBin: mappedOnly, windows: [at(10), unset, unset, at(20)] };
    expect(lowerBound(2, parts)).toEqual(at(10));
  });

  test('is not behind the leaf bin of the window, where placed unmapped reads may be', () => {
    const bins = [[4682, [chunkOf([25, 0], [26, 0]), chunkOf([15, 0], [16, 0])]]] as const;
    expect(lowerBound(1, { bins, windows: [at(10), at(20)] })).toEqual({ coffset: 15, uoffset: 0 });
    expect(lowerBound(1, { bins, windows: [at(10), at(12)] })).toEqual(at(12));
  });

  test('is an earlier record where that bin was merged into its parent and there may be such reads', () => {
    const windows = [at(10), at(20), at(20), at(20)];
    expect(lowerBound(3, { pseudoBin: { mapped: 9, unmapped: 1 }, windows })).toEqual(at(10));
    expect(lowerBound(3, { windows })).toEqual(at(10));
    expect(lowerBound(3, { pseudoBin: mappedOnly, windows })).toEqual(at(20));
    expect(lowerBound(0, { windows })).toEqual({ coffset: 1, uoffset: 0 });
  });
});
