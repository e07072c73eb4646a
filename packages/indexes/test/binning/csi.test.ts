import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { describe, expect, test } from 'vitest';
import { parseCsi } from '../../src/index.js';
import { chunkOf, u32 } from '../support/build-bai.js';
import { buildCsi } from '../support/build-csi.js';
import { tabixHeader } from '../support/build-tabix.js';

/** A CSI as `samtools index` writes it: min_shift 14, depth 6, two references, the second without records. */
const bytes = u32(
  ...[0x01495343], // magic "CSI\1"
  ...[14, 6, 0], // min_shift, depth, l_aux
  ...[2], // n_ref
  ...[2], // n_bin
  ...[37449 + 131072, 0x00640000, 0, 1], // bin at 2^31, loffset 100:0, n_chunk
  ...[0x00640000, 0, 0x00c80010, 0], // chunk_beg 100:0, chunk_end 200:16
  ...[299594, 0, 0, 2], // pseudo-bin
  ...[0x00640000, 0, 0x00c80010, 0], // ref_beg, ref_end
  ...[7, 1, 2, 0], // n_mapped 2^32 + 7, n_unmapped
  ...[0], // n_bin
  ...[5, 0], // n_no_coor
);

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'IndexError', code, offset }) as Error;
}

function patch(word: number, value: number): Uint8Array {
  const words = new Uint32Array(bytes.slice().buffer);
  words[word] = value;
  return new Uint8Array(words.buffer);
}

describe('parseCsi', () => {
  test('parses the scheme, chunks, statistics and counts', () => {
    const index = parseCsi(bytes);
    expect([index.format, index.minShift, index.depth]).toEqual(['CSI', 14, 6]);
    expect([index.referenceCount, index.unplacedCount]).toEqual([2, 5]);
    expect(index.referenceStatistics(0)).toEqual({ mapped: 2 ** 32 + 7, unmapped: 2 });
    expect(index.chunks({ referenceId: 0, start: 2 ** 31, end: 2 ** 31 + 1 })).toEqual([chunkOf([100, 0], [200, 16])]);
    expect(index.chunks({ referenceId: 0, start: 2 ** 31 - 1, end: 2 ** 31 })).toEqual([]);
    expect(index.lastPlacedEnd()).toEqual({ coffset: 200, uoffset: 16 });
    expect([index.tabix, index.auxiliaryData]).toEqual([undefined, new Uint8Array(0)]);
  });

  test.each([
    ['BGZF', Buffer.concat([deflateBlocks(bytes.subarray(0, 50)), deflateBlocks(bytes.subarray(50)), EOF_MARKER])],
    ['other gzip', gzipSync(bytes)],
  ])('parses %s', (_, compressed) => {
    expect(parseCsi(compressed).unplacedCount).toBe(5);
    expect(() => parseCsi(compressed, { maxBytes: bytes.length - 1 })).toThrow(
      expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error,
    );
  });

  test('rejects more bytes than maxBytes, also uncompressed, and more references than the limit', () => {
    const limit = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error;
    expect(() => parseCsi(bytes, { maxBytes: bytes.length - 1 })).toThrow(limit);
    expect(parseCsi(bytes, { maxBytes: bytes.length }).referenceCount).toBe(2);
    const many = new Uint8Array(20 + 4 * (2 ** 24 + 1));
    many.set(u32(0x01495343, 14, 5, 0, 2 ** 24 + 1));
    expect(() => parseCsi(many)).toThrow(limit);
  });

  test('rejects compression that is corrupt or incomplete', () => {
    const compressed = deflateBlocks(bytes);
    expect(() => parseCsi(compressed.subarray(0, -1))).toThrow(error('TRUNCATED', 0));
    expect(() => parseCsi(compressed.fill(0, 20, 40))).toThrow(error('INVALID_DATA', 0));
  });

  test.each([1, 2, 3, 4, 28, 33])('%d bytes of auxiliary data', (length) => {
    const auxiliaryData = new Uint8Array(length).fill(9);
    const bins = [{ number: 0, loffset: { coffset: 1, uoffset: 0 }, chunks: [chunkOf([1, 2], [3, 4])] }];
    const index = parseCsi(buildCsi([{ bins }], { auxiliaryData, unplacedCount: 7 }));
    expect(index.auxiliaryData).toEqual(auxiliaryData);
    expect(index.tabix).toBeUndefined();
    expect(index.unplacedCount).toBe(7);
    expect(index.chunks({ referenceId: 0, start: 0, end: 9 })).toEqual([chunkOf([1, 2], [3, 4])]);
  });

  test('auxiliary data that is the header of a TBI is parsed as one', () => {
    const index = parseCsi(buildCsi([{}, {}], { auxiliaryData: tabixHeader('chr1\0chr2\0') }));
    expect(index.tabix).toMatchObject({ preset: 'VCF', names: ['chr1', 'chr2'], startColumn: 2 });
  });

  test.each([
    [0, 10, 8 ** 10],
    [14, 0, 2 ** 14],
    [33, 10, 2 ** 63],
    [0, 0, 1],
    [63, 0, 2 ** 63],
  ])('min_shift %d and depth %d cover all bases to the last', (minShift, depth, span) => {
    const number = (8 ** depth - 1) / 7 + 8 ** depth - 1;
    const loffset = { coffset: 0, uoffset: 0 };
    const bins = [{ number, loffset, chunks: [chunkOf([100, 0], [200, 0])] }];
    const index = parseCsi(buildCsi([{ bins }], { minShift, depth }));
    const half = Math.floor(span / 2);
    expect(index.chunks({ referenceId: 0, start: half, end: Number.POSITIVE_INFINITY })).toHaveLength(1);
    expect(index.chunks({ referenceId: 0, start: span, end: span * 2 })).toEqual([]);
  });

  test.each([
    ['a negative min_shift', 1, 0xffffffff],
    ['a negative depth', 2, 0xffffffff],
    ['more bins than 32 bits can number', 2, 11],
    ['positions of more than 63 bits', 1, 46],
  ])('rejects %s', (_, word, value) => {
    expect(() => parseCsi(patch(word, value))).toThrow(error('INVALID_DATA', 4));
  });

  test.each([
    ['l_aux', 3],
    ['n_ref', 4],
    ['n_bin', 5],
    ['n_chunk', 9],
  ])('a hostile %s is TRUNCATED before anything is allocated', (_, word) => {
    for (const value of [0x7fffffff, 0x80000000, 0xffffffff]) {
      expect(() => parseCsi(patch(word, value))).toThrow(expect.objectContaining({ code: 'TRUNCATED' }) as Error);
    }
  });

  test('every proper prefix except the one without n_no_coor is TRUNCATED', () => {
    expect(parseCsi(bytes.subarray(0, -8)).unplacedCount).toBeUndefined();
    for (let length = 0; length < bytes.length; length++) {
      if (length === bytes.length - 8) continue;
      expect(() => parseCsi(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'TRUNCATED' }) as Error,
      );
    }
  });

  test('rejects another magic, bin numbers outside of the scheme, and bytes after the end', () => {
    expect(() => parseCsi(patch(0, 0x02495343))).toThrow(error('INVALID_MAGIC', 0));
    expect(() => parseCsi(patch(6, 299593))).toThrow(error('INVALID_DATA', 24));
    expect(() => parseCsi(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(error('INVALID_DATA', bytes.length));
  });

  test('reports the offset of an error, also after auxiliary data', () => {
    const twice = { number: 9, loffset: { coffset: 1, uoffset: 0 }, chunks: [chunkOf([1, 2], [3, 4])] };
    const auxiliaryData = Uint8Array.of(1, 2, 3);
    const index = parseCsi(buildCsi([{ bins: [twice, twice] }], { auxiliaryData }));
    // 16 bytes, 3, n_ref and n_bin, one bin of 32 bytes, and the header of the other
    expect(() => index.chunks({ referenceId: 0, start: 0, end: 1 })).toThrow(
      error('INVALID_DATA', 16 + 3 + 8 + 32 + 16),
    );
  });
});
