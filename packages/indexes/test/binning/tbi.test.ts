import { deflateBlocks } from '@htskit/bgzf';
import { describe, expect, test } from 'vitest';
import { parseTbi } from '../../src/index.js';
import { buildBai, chunkOf } from '../support/build-bai.js';
import { buildTbi, tabixHeader } from '../support/build-tabix.js';

const bai = buildBai([{ bins: [[4681, [chunkOf([10, 0], [20, 5])]]], windows: [{ coffset: 10, uoffset: 0 }] }, {}], 0);
const bytes = buildTbi(tabixHeader('chr1\0chrM\0'), bai);

/** The offsets of format, col_seq and so on. */
const FIELDS = { format: 8, sequence: 12, start: 16, end: 20, meta: 24, skip: 28, namesLength: 32, names: 36 };

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'IndexError', code, offset }) as Error;
}

function patch(offset: number, value: number): Uint8Array {
  const patched = bytes.slice();
  new DataView(patched.buffer).setInt32(offset, value, true);
  return patched;
}

describe('parseTbi', () => {
  test('parses the header of a VCF', () => {
    const index = parseTbi(deflateBlocks(bytes));
    expect(index.format).toBe('TBI');
    expect(index.tabix).toEqual({
      preset: 'VCF',
      isZeroBased: false,
      sequenceColumn: 1,
      startColumn: 2,
      endColumn: 0,
      metaCharacter: 0x23,
      skippedLines: 0,
      names: ['chr1', 'chrM'],
    });
  });

  test('parses the settings of BED, which is 0-based, and of SAM', () => {
    const bed = { format: 0x10000, sequence: 1, start: 2, end: 3, skip: 4 };
    expect(parseTbi(buildTbi(tabixHeader('a\0b\0', bed), bai)).tabix).toMatchObject({
      preset: 'generic',
      isZeroBased: true,
      endColumn: 3,
      skippedLines: 4,
    });
    const sam = { format: 1, sequence: 3, start: 4, meta: 0x40 };
    expect(parseTbi(buildTbi(tabixHeader('a\0b\0', sam), bai)).tabix).toMatchObject({
      preset: 'SAM',
      sequenceColumn: 3,
      metaCharacter: 0x40,
    });
  });

  test.each(['a\0b\0', 'chr1\0b\0', 'chrUn_1\0b\0', 'é\0b\0'])(
    'finds chunks after names of any length: %j',
    (names) => {
      const index = parseTbi(buildTbi(tabixHeader(names), bai));
      expect(index.chunks({ referenceId: 0, start: 0, end: 100 })).toEqual([chunkOf([10, 0], [20, 5])]);
      expect(index.tabix?.names.join('\0')).toBe(names.slice(0, -1));
    },
  );

  test('an index without references is empty', () => {
    const index = parseTbi(buildTbi(tabixHeader(''), buildBai([])));
    expect([index.referenceCount, index.tabix?.names, index.unplacedCount]).toEqual([0, [], undefined]);
  });

  test('there may be more names than references', () => {
    expect(parseTbi(buildTbi(tabixHeader('a\0b\0c\0'), bai)).referenceCount).toBe(2);
  });

  test('no record of a text file is unmapped, so the linear index is reliable', () => {
    const windows = [10, 20, 30].map((coffset) => ({ coffset, uoffset: 0 }));
    const references = [{ bins: [[0, [chunkOf([10, 0], [99, 0])]]] as const, windows }];
    const index = parseTbi(buildTbi(tabixHeader('a\0'), buildBai(references)));
    expect(index.chunks({ referenceId: 0, start: 2 ** 15, end: 2 ** 15 + 1 })).toEqual([chunkOf([30, 0], [99, 0])]);
  });

  test.each([
    ['a preset that does not exist', FIELDS.format, 3, FIELDS.format],
    ['a negative preset', FIELDS.format, -1, FIELDS.format],
    ['a negative column', FIELDS.start, -1, FIELDS.format],
    ['a negative number of lines', FIELDS.skip, -1, FIELDS.format],
    ['a meta character that is no byte', FIELDS.meta, 256, FIELDS.meta],
    ['names of negative length', FIELDS.namesLength, -1, FIELDS.format],
    ['a name that does not end', FIELDS.namesLength, 9, FIELDS.names + 5],
    ['fewer names than references', FIELDS.namesLength, 5, 4],
  ])('rejects %s', (_, offset, value, faultOffset) => {
    const names = offset === FIELDS.namesLength && value === 5 ? buildTbi(tabixHeader('chr1\0'), bai) : undefined;
    expect(() => parseTbi(names ?? patch(offset, value))).toThrow(error('INVALID_DATA', faultOffset));
  });

  test('rejects duplicate names', () => {
    expect(() => parseTbi(buildTbi(tabixHeader('chr1\0chr1\0'), bai))).toThrow(error('INVALID_DATA', 41));
  });

  test('names that are not UTF-8 stay different', () => {
    const header = tabixHeader('caf?\0caf!\0');
    header.set([0xe9], 28 + 3);
    header.set([0xe8], 28 + 8);
    expect(parseTbi(buildTbi(header, bai)).tabix?.names).toEqual(['caf\udce9', 'caf\udce8']);
  });

  test('rejects more names than the limit', () => {
    const names = Array.from({ length: 2 ** 21 + 1 }, (_, index) => `${index.toString(36)}\0`).join('');
    const limit = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error;
    expect(() => parseTbi(buildTbi(tabixHeader(names), buildBai([])))).toThrow(limit);
  });

  test('a hostile length of names or number of references is TRUNCATED', () => {
    for (const value of [0x7fffffff, 1000]) {
      expect(() => parseTbi(patch(FIELDS.namesLength, value))).toThrow(error('TRUNCATED', FIELDS.names));
      expect(() => parseTbi(patch(4, value))).toThrow(expect.objectContaining({ code: 'TRUNCATED' }) as Error);
    }
    expect(() => parseTbi(patch(4, -1))).toThrow(expect.objectContaining({ code: 'TRUNCATED' }) as Error);
  });

  test('every proper prefix except the one without n_no_coor is TRUNCATED', () => {
    for (let length = 0; length < bytes.length; length++) {
      if (length === bytes.length - 8) continue;
      expect(() => parseTbi(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'TRUNCATED' }) as Error,
      );
    }
  });

  test('rejects another magic', () => {
    expect(() => parseTbi(bai)).toThrow(error('INVALID_MAGIC', 0));
  });
});
