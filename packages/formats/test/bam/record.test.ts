import { decodeBam, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/index.js';
import { bamRecordLength, parseBamRecordSpan } from '../../src/internal.js';
import { ascii, buildRecord, encodeCigar, int32, join, patch, type RecordParts } from './build-bam.js';

/** The limit of this package: 256 MiB. */
const MAX_RECORD_LENGTH = 2 ** 28;

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function span(parts: RecordParts): [start: number, end: number] {
  const { baseStart, baseEnd } = parseBamRecordSpan(buildRecord(parts), 0);
  return [baseStart, baseEnd];
}

describe('bamRecordLength', () => {
  test('counts the block_size field', () => {
    const record = buildRecord();
    expect(bamRecordLength(record, 0)).toBe(record.length);
    expect(bamRecordLength(join([ascii('xyz'), record]), 3)).toBe(record.length);
    expect(bamRecordLength(record.subarray(0, 4), 0)).toBe(record.length);
  });

  test('is undefined if the data ends within block_size', () => {
    for (let length = 0; length < 4; length++) {
      expect(bamRecordLength(buildRecord().subarray(0, length), 0)).toBeUndefined();
    }
  });

  test('rejects sizes that are too small or over the limit', () => {
    expect(bamRecordLength(int32(32), 0)).toBe(36);
    expect(bamRecordLength(int32(MAX_RECORD_LENGTH - 4), 0)).toBe(MAX_RECORD_LENGTH);
    expect(() => bamRecordLength(int32(0, 31), 4)).toThrow(error('INVALID_DATA', 4));
    for (const size of [MAX_RECORD_LENGTH - 3, 2 ** 31 - 1, -1]) {
      expect(() => bamRecordLength(int32(0, size), 4)).toThrow(error('LIMIT_EXCEEDED', 4));
    }
  });
});

describe('parseBamRecordSpan', () => {
  test('parses end, reference and bases of a record', () => {
    const record = buildRecord({ referenceId: 3, position: 100, cigar: [[7, 'M']], baseCount: 7 });
    expect(parseBamRecordSpan(join([ascii('xy'), record, ascii('z')]), 2)).toEqual({
      byteEnd: 2 + record.length,
      referenceId: 3,
      baseStart: 100,
      baseEnd: 107,
      isMapped: true,
    });
  });

  test('counts M, D, N, = and X as reference bases, and no other operations', () => {
    const cigar = Array.from('MIDNSHP=X', (operation, index) => [10 ** index, operation] as const);
    expect(span({ cigar: cigar.slice(0, 8) })).toEqual([0, 1 + 100 + 1000 + 10_000_000]);
    expect(span({ cigar: [[5, 'X']] })).toEqual([0, 5]);
    expect(span({ cigar: [[2 ** 28 - 1, 'N']], position: 2 ** 31 - 1 })).toEqual([2 ** 31 - 1, 2 ** 31 + 2 ** 28 - 2]);
  });

  test('ignores operations of unknown codes', () => {
    const record = buildRecord({ cigar: [[5, 'M']] });
    for (let code = 9; code < 16; code++) {
      expect(parseBamRecordSpan(patch(record, 38, 5 * 16 + code), 0).baseEnd).toBe(1);
    }
  });

  test('counts an unmapped record, or one that covers no base, as one base', () => {
    expect(span({ position: 9 })).toEqual([9, 10]);
    expect(span({ position: 9, cigar: [[5, 'S']] })).toEqual([9, 10]);
    expect(span({ position: 9, cigar: [[5, 'M']], flag: 4 })).toEqual([9, 10]);
    expect(span({ position: 9, cigar: [[5, 'M']], flag: 0xffff - 4 })).toEqual([9, 14]);
    expect(span({ referenceId: -1, position: -1 })).toEqual([-1, 0]);
  });

  test.each(fixtureNames('.bam'))('agrees with the reference decoder on %s', (name) => {
    const { records } = decodeBam(readFixture(name), { requireEof: false });
    const data = join(records.map(({ raw }) => raw));
    let at = 0;
    for (const { referenceId, position, end, flag, raw } of records) {
      const byteEnd = at + raw.length;
      const isMapped = (flag & 4) === 0;
      expect(parseBamRecordSpan(data, at)).toEqual({
        byteEnd,
        referenceId,
        baseStart: position,
        baseEnd: end,
        isMapped,
      });
      at = byteEnd;
    }
  });

  test('rejects every proper prefix as TRUNCATED', () => {
    const record = buildRecord({ cigar: [[5, 'M']], baseCount: 5 });
    for (let length = 0; length < record.length; length++) {
      expect(() => parseBamRecordSpan(record.subarray(0, length), 0)).toThrow(error('TRUNCATED', 0));
    }
  });

  test.each([
    ['no read name', buildRecord({ name: '' })],
    [
      'a read name that is too long',
      (() => {
        const record = buildRecord();
        record[12] = 3;
        return record;
      })(),
    ],
    ['too many operations', patch(buildRecord(), 16, 1)],
    ['too many bases', patch(buildRecord(), 20, 1)],
    ['a negative number of bases', patch(buildRecord(), 20, -1)],
    ['a reference below -1', buildRecord({ referenceId: -2 })],
    ['a position below -1', buildRecord({ position: -2 })],
  ])('rejects %s', (_, record) => {
    expect(() => parseBamRecordSpan(join([ascii('xyz'), record]), 3)).toThrow(error('INVALID_DATA', 3));
  });
});

describe('a CIGAR in the tag CG', () => {
  const operations = encodeCigar([
    [3, 'M'],
    [40, 'D'],
    [4, 'M'],
  ]);
  const tag = join([ascii('CGBI'), int32(operations.length / 4), operations]);
  const placeholder: RecordParts['cigar'] = [
    [7, 'S'],
    [5, 'N'],
  ];

  test.each([
    ['alone', tag],
    [
      'after tags of every type',
      join([
        ascii('XAAx'),
        ascii('Xcc1XCC1'),
        ascii('Xss12XSS12'),
        ascii('Xii1234XII1234Xff1234'),
        ascii('XZZtext\0XHH1AE3\0'),
        join([ascii('XBBs'), int32(3), ascii('112233')]),
        tag,
        ascii('XY?'),
      ]),
    ],
  ])('is the CIGAR of the record if it is %s', (_, tags) => {
    expect(span({ cigar: placeholder, baseCount: 7, tags })).toEqual([0, 47]);
  });

  test.each<[string, RecordParts['cigar']]>([
    ['kSmN', placeholder],
    ['one operation', [[7, 'S']]],
    [
      'another operation than N',
      [
        [7, 'S'],
        [5, 'M'],
      ],
    ],
    ['three operations', [...placeholder, [1, 'D']]],
  ])('is used after a soft clip of all bases: %s', (_, cigar) => {
    expect(span({ cigar, baseCount: 7, tags: tag })).toEqual([0, 47]);
    const signed = join([ascii('CGBi'), tag.subarray(4)]);
    expect(span({ cigar, baseCount: 7, tags: signed })).toEqual([0, 47]);
  });

  test('is used neither after another operation nor if the CIGAR of the record has more operations', () => {
    expect(
      span({
        cigar: [
          [6, 'S'],
          [5, 'N'],
        ],
        baseCount: 7,
        tags: tag,
      }),
    ).toEqual([0, 5]);
    expect(
      span({
        cigar: [
          [7, 'H'],
          [5, 'N'],
        ],
        baseCount: 7,
        tags: tag,
      }),
    ).toEqual([0, 5]);
    expect(span({ cigar: [...placeholder, [1, 'M'], [1, 'M']], baseCount: 7, tags: tag })).toEqual([0, 7]);
    expect(span({ cigar: placeholder, baseCount: 7, tags: join([ascii('CGBI'), int32(0)]) })).toEqual([0, 5]);
    expect(span({ cigar: placeholder, baseCount: 7, tags: tag, flag: 4 })).toEqual([0, 1]);
  });

  test('is an ordinary tag in a record without a reference or a position', () => {
    const long = { cigar: placeholder, baseCount: 7, tags: tag };
    expect(span({ ...long, referenceId: -1, position: 10 })).toEqual([10, 15]);
    expect(span({ ...long, position: -1 })).toEqual([-1, 4]);
  });

  test('is ignored if it is missing or of another type: the placeholder counts', () => {
    expect(span({ cigar: placeholder, baseCount: 7 })).toEqual([0, 5]);
    expect(span({ cigar: placeholder, baseCount: 7, tags: ascii('CGZtext\0') })).toEqual([0, 5]);
    expect(span({ cigar: placeholder, baseCount: 7, tags: join([ascii('CGBf'), int32(2, 5, 5)]) })).toEqual([0, 5]);
  });

  test.each([
    ['a tag without type', ascii('X')],
    ['a tag without value', ascii('XX')],
    ['an unknown type', ascii('XX?12345')],
    ['a value that is too long', ascii('XXi123')],
    ['a string without NUL', ascii('XXZabc')],
    ['an array without count', ascii('XXBI123')],
    ['an array of an unknown type', join([ascii('XXBZ'), int32(0)])],
    ['an array that is too long', join([ascii('CGBI'), int32(-1), operations])],
  ])('is rejected after %s', (_, tags) => {
    const record = buildRecord({ cigar: placeholder, baseCount: 7, tags });
    expect(() => parseBamRecordSpan(record, 0)).toThrow(error('INVALID_DATA', record.length - tags.length));
  });
});

test('parses or rejects every damaged record', () => {
  const { records } = decodeBam(readFixture('reads.bam'));
  const record = records.find(({ cigar }) => cigar.includes('N'))?.raw ?? new Uint8Array(0);
  const outcomes = [...mutations(record, { seed: 6, count: volume(4000) })].map(({ bytes }) => {
    try {
      expect(parseBamRecordSpan(bytes, 0).byteEnd).toBeLessThanOrEqual(bytes.length);
      return 'parsed';
    } catch (thrown) {
      return thrown instanceof FormatError ? 'refused' : thrown;
    }
  });
  expect(new Set(outcomes)).toEqual(new Set(['parsed', 'refused']));
});
