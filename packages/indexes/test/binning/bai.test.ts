import { describe, expect, test } from 'vitest';
import { IndexError, parseBai } from '../../src/index.js';
import { buildBai, chunkOf, u32 } from '../support/build-bai.js';

/** A BAI as `samtools index` writes it: two references, the second without records. */
const bytes = u32(
  ...[0x01494142], // magic "BAI\1"
  ...[2], // n_ref
  ...[2], // n_bin
  ...[4681, 1], // bin, n_chunk
  ...[0x00640000, 0, 0x00c80010, 0], // chunk_beg 100:0, chunk_end 200:16
  ...[37450, 2], // pseudo-bin
  ...[0x00640000, 0, 0x00c80010, 0], // ref_beg, ref_end
  ...[7, 1, 2, 0], // n_mapped 2^32 + 7, n_unmapped
  ...[1], // n_intv
  ...[0x00640000, 0], // ioffset
  ...[0], // n_bin
  ...[0], // n_intv
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

describe('parseBai', () => {
  test('parses chunks, statistics and counts', () => {
    const index = parseBai(bytes);
    expect(index.referenceCount).toBe(2);
    expect(index.unplacedCount).toBe(5);
    expect(index.referenceStatistics(0)).toEqual({ mapped: 2 ** 32 + 7, unmapped: 2 });
    expect(index.chunks({ referenceId: 0, start: 0, end: 100 })).toEqual([chunkOf([100, 0], [200, 16])]);
    expect(index.lastPlacedEnd()).toEqual({ coffset: 200, uoffset: 16 });
  });

  test('n_no_coor may be missing', () => {
    const index = parseBai(bytes.subarray(0, -8));
    expect(index.unplacedCount).toBeUndefined();
    expect(index.referenceCount).toBe(2);
  });

  test('an index without references is empty', () => {
    const index = parseBai(buildBai([], 3));
    expect(index.referenceCount).toBe(0);
    expect(index.unplacedCount).toBe(3);
    expect(index.lastPlacedEnd()).toBeUndefined();
    expect(index.chunks({ referenceId: 0, start: 0, end: 1 })).toEqual([]);
  });

  test.each([1, 2, 3])('parses bytes that are %d bytes off alignment', (shift) => {
    const shifted = new Uint8Array(bytes.length + shift);
    shifted.set(bytes, shift);
    const index = parseBai(shifted.subarray(shift));
    expect(index.chunks({ referenceId: 0, start: 0, end: 1 })).toEqual([chunkOf([100, 0], [200, 16])]);
  });

  test('a reference without pseudo-bin has no statistics', () => {
    expect(parseBai(bytes).referenceStatistics(1)).toBeUndefined();
  });

  test.each([-1, 2, 0.5, Number.NaN, 2 ** 32])(
    'a reference that is not in the index, %d, has no chunks or statistics',
    (referenceId) => {
      const index = parseBai(bytes);
      expect(index.referenceStatistics(referenceId)).toBeUndefined();
      expect(index.chunks({ referenceId, start: 0, end: 2 ** 29 })).toEqual([]);
    },
  );

  test('rejects another magic', () => {
    expect(() => parseBai(patch(0, 0x01495343))).toThrow(error('INVALID_MAGIC', 0));
    expect(() => parseBai(new Uint8Array(2))).toThrow(error('TRUNCATED', 0));
  });

  test('every proper prefix except the one without n_no_coor is TRUNCATED', () => {
    for (let length = 0; length < bytes.length; length++) {
      if (length === bytes.length - 8) continue;
      expect(() => parseBai(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'TRUNCATED' }) as Error,
      );
    }
  });

  test.each([
    ['n_ref', 1],
    ['n_bin', 2],
    ['n_chunk', 4],
    ['n_intv', 19],
  ])('a hostile %s is TRUNCATED before anything is allocated', (_, word) => {
    for (const value of [0x7fffffff, 0x80000000, 0xffffffff]) {
      expect(() => parseBai(patch(word, value))).toThrow(expect.objectContaining({ code: 'TRUNCATED' }) as Error);
    }
  });

  test('rejects a bin number outside of the scheme', () => {
    for (const number of [37449, 37451, 0xffffffff]) {
      expect(() => parseBai(patch(3, number))).toThrow(error('INVALID_DATA', 12));
    }
  });

  test('rejects a pseudo-bin without two chunks and a second pseudo-bin', () => {
    expect(() => parseBai(u32(0x01494142, 1, 1, 37450, 1, 0, 0, 0, 0, 0))).toThrow(error('INVALID_DATA', 12));
    const pseudoBin = [37450, 2, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(() => parseBai(u32(0x01494142, 1, 2, ...pseudoBin, ...pseudoBin, 0))).toThrow(error('INVALID_DATA', 52));
  });

  test('rejects counts above 2^53 - 1', () => {
    expect(() => parseBai(patch(16, 2 ** 21))).toThrow(error('INVALID_DATA', 60));
    expect(() => parseBai(patch(18, 2 ** 21))).toThrow(error('INVALID_DATA', 68));
    expect(() => parseBai(patch(25, 2 ** 21))).toThrow(error('INVALID_DATA', 96));
  });

  test('rejects bytes after the end', () => {
    for (const more of [1, 4, 8]) {
      const longer = new Uint8Array(bytes.length + more);
      longer.set(bytes);
      expect(() => parseBai(longer)).toThrow(error('INVALID_DATA', bytes.length));
    }
  });

  test('reports the offset of the error', () => {
    expect(() => parseBai(new Uint8Array(0))).toThrow(
      new IndexError('TRUNCATED', 'expected 4 bytes, 0 left', { offset: 0 }),
    );
  });
});
