import { bgunzip, decodeBam, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError, parseBamHeader } from '../../src/index.js';
import { BamHeaderReader } from '../../src/internal.js';
import { ascii, buildHeader, int32, join, patch } from './build-bam.js';

const text = '@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:9\n';
/** l_text is at 4, n_ref at 36, the first l_name at 40, its name at 44, its l_ref at 49. */
const header = buildHeader(text, [
  ['chr1\0', 9],
  ['HLA-A*01:01\0', 2 ** 31 - 1],
]);

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

/** Returns the length of the header that `data` starts with, or undefined if more data is needed. */
function readLength(data: Uint8Array): number | undefined {
  return new BamHeaderReader().read(data);
}

describe('parseBamHeader', () => {
  test('parses text and references, and ignores the data that follows', () => {
    expect(parseBamHeader(join([header, ascii('more')]))).toEqual({
      text,
      references: [
        { name: 'chr1', length: 9 },
        { name: 'HLA-A*01:01', length: 2 ** 31 - 1 },
      ],
      byteLength: header.length,
    });
  });

  test('parses a header that is a view at an odd offset', () => {
    const shifted = join([ascii('xyz'), header]).subarray(3);
    expect(parseBamHeader(shifted)).toEqual(parseBamHeader(header));
  });

  test('drops the NULs that pad the text and those after a name', () => {
    const padded = parseBamHeader(buildHeader(`${text}\0\0\0`, [['a\0\0\0', 1]]));
    expect(padded.text).toBe(text);
    expect(padded.references).toEqual([{ name: 'a', length: 1 }]);
    expect(parseBamHeader(buildHeader('\0\0', [])).text).toBe('');
  });

  test('parses a text of 4 MiB of NULs', () => {
    const nuls = '\0'.repeat(2 ** 22);
    expect(parseBamHeader(buildHeader(`${nuls}x`, [])).text).toHaveLength(2 ** 22 + 1);
    expect(parseBamHeader(buildHeader(nuls, [])).text).toBe('');
  });

  test('decodes UTF-8, and keeps other bytes apart', () => {
    const utf8 = Buffer.from('@CO\tä\n').toString('latin1');
    expect(parseBamHeader(buildHeader(utf8, [])).text).toBe('@CO\tä\n');
    expect(parseBamHeader(buildHeader('@CO\t\xff\n', [])).text).toBe('@CO\t\udcff\n');
  });

  test.each(fixtureNames('.bam'))('parses the header of %s', (name) => {
    const bytes = readFixture(name);
    const data = bgunzip(bytes);
    const { headerText, references, records } = decodeBam(bytes, { requireEof: false });
    const byteLength = data.length - records.reduce((sum, { raw }) => sum + raw.length, 0);
    expect(parseBamHeader(data)).toEqual({ text: headerText, references, byteLength });
    expect(readLength(data)).toBe(byteLength);
  });

  test('rejects an incomplete header as TRUNCATED', () => {
    expect(() => parseBamHeader(header.subarray(0, 60))).toThrow(
      new FormatError('TRUNCATED', 'data ends within the BAM header', { offset: 60 }),
    );
  });
});

describe('the length of a header', () => {
  test('is undefined for every proper prefix', () => {
    for (let length = 0; length < header.length; length++) {
      expect(readLength(header.subarray(0, length))).toBeUndefined();
    }
    expect(readLength(header)).toBe(header.length);
  });

  test('rejects another magic from its first byte on', () => {
    for (const bytes of [ascii('X'), ascii('BAM\x02'), ascii('BAI\x01....'), ascii('\x1f\x8b\x08\x04')]) {
      expect(() => readLength(bytes)).toThrow(error('INVALID_MAGIC', 0));
    }
  });

  test('asks for more data for a text or name of up to 4 GiB without allocating it', () => {
    expect(readLength(patch(header, 4, -1))).toBeUndefined();
    expect(readLength(patch(header, 40, 2 ** 31 - 1))).toBeUndefined();
    expect(readLength(patch(header, 36, 2 ** 31 - 1))).toBeUndefined();
  });

  test.each([
    ['n_ref', 36],
    ['l_name', 40],
    ['l_ref', 49],
  ])('rejects a negative %s', (_, at) => {
    expect(() => readLength(patch(header, at, -1))).toThrow(error('INVALID_DATA', at));
    expect(() => readLength(patch(header, at, -(2 ** 31)))).toThrow(error('INVALID_DATA', at));
  });

  test('rejects a name without NUL', () => {
    expect(() => readLength(buildHeader('', [['chr1', 9]]))).toThrow(error('INVALID_DATA', 12));
    expect(() => readLength(join([buildHeader('', []).subarray(0, 8), int32(1, 0, 9)]))).toThrow(
      error('INVALID_DATA', 12),
    );
  });
});

test('parses or rejects every damaged header', () => {
  const outcomes = [...mutations(header, { seed: 5, count: volume(4000) })].map(({ bytes }) => {
    try {
      expect(parseBamHeader(bytes).byteLength).toBeLessThanOrEqual(bytes.length);
      return 'parsed';
    } catch (thrown) {
      return thrown instanceof FormatError ? 'refused' : thrown;
    }
  });
  expect(new Set(outcomes)).toEqual(new Set(['parsed', 'refused']));
});

describe('BamHeaderReader', () => {
  test.each([1, 7, 1000])('reads the header from data that grows by %i bytes', (step) => {
    const reader = new BamHeaderReader();
    for (let end = 0; end < header.length; end += step) expect(reader.read(header.subarray(0, end))).toBeUndefined();
    const data = join([header, ascii('more')]);
    expect(reader.read(data)).toBe(header.length);
    expect(new TextDecoder().decode(reader.textBytes(data))).toBe(text);
    expect([...reader.referenceIds]).toEqual([
      ['chr1', 0],
      ['HLA-A*01:01', 1],
    ]);
  });

  test('visits each reference once, however often it is called', () => {
    const references = Array.from({ length: 500 }, (_, id): [string, number] => [`c${id}\0`, 1]);
    const data = buildHeader(text, references);
    const reader = new BamHeaderReader();
    for (let end = 0; end <= data.length; end += 13) reader.read(data.subarray(0, end));
    expect(reader.read(data)).toBe(data.length);
    expect(reader.referenceIds.size).toBe(500);
    expect(reader.referenceIds.get('c499')).toBe(499);
  });

  test('more references than `maxReferences` are LIMIT_EXCEEDED before they are read', () => {
    const reader = new BamHeaderReader({ maxReferences: 1 });
    expect(() => reader.read(header.subarray(0, 40))).toThrow(error('LIMIT_EXCEEDED', 36));
    expect(new BamHeaderReader({ maxReferences: 2 }).read(header)).toBe(header.length);
  });

  test('throws what parseBamHeader throws', () => {
    for (const { bytes } of mutations(header, { seed: 6, count: volume(300) })) {
      const attempt = (run: () => unknown): unknown => {
        try {
          return run();
        } catch (failure) {
          return failure;
        }
      };
      const expected = attempt(() => readLength(bytes));
      const actual = attempt(() => new BamHeaderReader().read(bytes));
      expect(actual).toEqual(expected);
    }
  });
});
