import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deflateBlocks, inflateBlocks } from '../../src/index.js';
import { parseBlockHeader } from '../../src/internal.js';
import { ascii } from '../build-block.js';
import { noise } from '../noise.js';

function blockSizes(bytes: Uint8Array): number[] {
  const sizes: number[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const { blockSize } = parseBlockHeader(bytes, { offset });
    sizes.push(blockSize);
    offset += blockSize;
  }
  return sizes;
}

test('empty data results in no block', () => {
  expect(deflateBlocks(new Uint8Array(0))).toEqual(new Uint8Array(0));
});

test('the header is that of htslib: no MTIME, no XFL, OS 255, one subfield', () => {
  const block = deflateBlocks(ascii('ACGT'));
  const header = '1f8b08040000000000ff0600424302';
  expect(Buffer.from(block.subarray(0, 15)).toString('hex')).toBe(header);
});

test.each([
  [1, 1],
  [65280, 1],
  [65281, 2],
  [200_000, 4],
])('%i bytes result in %i blocks that gunzip can read', (length, blocks) => {
  const data = ascii('A'.repeat(length));
  const bytes = deflateBlocks(data);
  expect(blockSizes(bytes)).toHaveLength(blocks);
  expect(Buffer.compare(gunzipSync(bytes), data)).toBe(0);
});

describe.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('level %i', (level) => {
  test('data that cannot be compressed still fits the block', () => {
    const data = noise(65280);
    const bytes = deflateBlocks(data, { level });
    expect(blockSizes(bytes)).toEqual([18 + 5 + 65280 + 8]);
    expect(Buffer.compare(inflateBlocks(bytes), data)).toBe(0);
  });

  test('the same data results in the same bytes', () => {
    const data = ascii('chr1\t100\tA\tC\n'.repeat(9000));
    expect(Buffer.compare(deflateBlocks(data, { level }), deflateBlocks(data, { level }))).toBe(0);
  });
});

test('level 0 stores, level 9 compresses at least as well as level 1, and level 6 is the default', () => {
  const data = ascii('chr1\t100\tA\tC\n'.repeat(1000));
  expect(deflateBlocks(data, { level: 0 }).length).toBe(data.length + 18 + 5 + 8);
  expect(deflateBlocks(data, { level: 9 }).length).toBeLessThanOrEqual(deflateBlocks(data, { level: 1 }).length);
  expect(deflateBlocks(data)).toEqual(deflateBlocks(data, { level: 6 }));
});

test.each([-1, 10, 1.5, Number.NaN])('level %d is a RangeError', (level) => {
  expect(() => deflateBlocks(ascii('ACGT'), { level })).toThrow(RangeError);
});

test('deflated data inflates to the same data, and the input is not modified', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 9 }), (data, level) => {
      const before = Uint8Array.from(data);
      expect(inflateBlocks(deflateBlocks(data, { level }))).toEqual(before);
      expect(data).toEqual(before);
    }),
  );
});
