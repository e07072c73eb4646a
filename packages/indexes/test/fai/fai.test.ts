import { decodeText, encodeText } from '@htskit/io';
import { expectations, readFixture } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseOffset, type FaiRecord, formatFai, IndexError, parseFai } from '../../src/index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const names = ['genome.fa', 'crlf.fa'] as const;

describe('parseFai', () => {
  test('parses the index that samtools writes', () => {
    expect(parseFai(encode('chr1\t100\t6\t60\t61\nHLA-A*01:01\t7\t120\t7\t9\n'))).toEqual([
      { name: 'chr1', length: 100, offset: 6, lineBases: 60, lineBytes: 61 },
      { name: 'HLA-A*01:01', length: 7, offset: 120, lineBases: 7, lineBytes: 9 },
    ]);
  });

  test('accepts a missing last line feed, CRLF, blank lines and names of any characters', () => {
    expect(parseFai(encode('ä b\t0\t6\t0\t0\r\n\r\nx\t1\t9\t1\t2')).map(({ name }) => name)).toEqual(['ä b', 'x']);
    expect(parseFai(new Uint8Array(0))).toEqual([]);
  });

  test('parses the index that samtools writes of FASTQ, which has a sixth column', () => {
    // @r1 x, ACGTA, CG, +, IIIII, II, @r2, AC, +r2, @I
    const fai = 'r1\t7\t6\t5\t6\t17\nr2\t2\t30\t2\t3\t37\n';
    const records = parseFai(encode(fai));
    expect(records[1]).toEqual({ name: 'r2', length: 2, offset: 30, lineBases: 2, lineBytes: 3, qualityOffset: 37 });
    expect(formatFai(records)).toBe(fai);
  });

  test.each([
    ['x\t1\t4\t1\t2\t8\ny\t1\t14\t1\t2\n', 12],
    ['x\t1\t4\t1\t2\ny\t1\t14\t1\t2\t18\n', 10],
    ['x\t1\t4\t1\t2\t9007199254740991\n', 0],
    ['x\t1\t4\t1\t2\t8\t9\n', 0],
  ])('rejects %j', (fai, offset) => {
    expect(() => parseFai(encode(fai))).toThrow(expect.objectContaining({ code: 'INVALID_DATA', offset }) as Error);
  });

  test.each([
    'x\t1\t2\t3',
    'x\t1\t2\t3\t4\t5',
    '\t1\t2\t3\t4',
    'x\t-1\t2\t3\t4',
    'x\t1.5\t2\t3\t4',
    'x\t\t2\t3\t4',
    'x\t0x1\t2\t3\t4',
    'x 1 2 3 4',
    'x\t1\t2\t4\t3',
    'x\t1\t2\t0\t1',
    'x\t9007199254740992\t0\t60\t61',
    'x\t1\t9007199254740991\t1\t2',
    `x\t1\t2\t${'9'.repeat(400)}\t${'9'.repeat(400)}`,
  ])('rejects the line %j', (line) => {
    const bytes = encode(`ok\t1\t4\t1\t2\n${line}\n`);
    expect(() => parseFai(bytes)).toThrow(expect.objectContaining({ code: 'INVALID_DATA', offset: 11 }) as Error);
  });

  test('rejects a duplicate name', () => {
    const bytes = encode('a\t1\t3\t1\t2\na\t1\t8\t1\t2\n');
    expect(() => parseFai(bytes)).toThrow(new IndexError('INVALID_DATA', 'duplicate name "a"', { offset: 10 }));
  });
});

describe('formatFai', () => {
  test.each(names)('writes %s.fai as samtools does', (name) => {
    const bytes = readFixture(`${name}.fai`);
    expect(formatFai(parseFai(bytes))).toBe(new TextDecoder().decode(bytes));
  });

  test('is the inverse of parseFai', () => {
    const record = fc
      .record({
        // Names of any bytes but tabs and line ends. They are left out before the text is decoded: the bytes on both sides may
        // together be a character.
        name: fc
          .uint8Array()
          .map((bytes) => `x${decodeText(bytes.filter((byte) => !'\t\r\n'.includes(String.fromCharCode(byte))))}`),
        length: fc.nat(),
        offset: fc.nat(),
        lineBases: fc.integer({ min: 1 }),
        lineEnd: fc.nat(2),
      })
      .map(({ lineEnd, ...rest }): FaiRecord => ({ ...rest, lineBytes: rest.lineBases + lineEnd }));
    fc.assert(
      fc.property(fc.uniqueArray(record, { selector: ({ name }) => name }), (records) => {
        expect(parseFai(encodeText(formatFai(records)))).toEqual(records);
      }),
    );
  });
});

describe('baseOffset', () => {
  test.each(names)('locates every slice of %s', (name) => {
    const fasta = readFixture(name);
    const records = new Map(parseFai(readFixture(`${name}.fai`)).map((record) => [record.name, record]));
    for (const slice of expectations(name).slices) {
      const record = records.get(slice.name);
      const bases = Array.from({ length: slice.end - slice.start }, (_, base) =>
        record === undefined ? 0 : (fasta[baseOffset(record, slice.start + base)] ?? 0),
      );
      expect(String.fromCharCode(...bases)).toBe(slice.bases);
    }
  });

  test('accepts only the bases of the sequence and its end', () => {
    const record: FaiRecord = { name: 'x', length: 7, offset: 3, lineBases: 4, lineBytes: 6 };
    expect([0, 3, 4, 6, 7].map((base) => baseOffset(record, base))).toEqual([3, 6, 9, 11, 12]);
    for (const base of [-1, 8, Number.NaN]) expect(() => baseOffset(record, base)).toThrow(RangeError);
  });

  test('of an empty sequence is its offset', () => {
    expect(baseOffset({ name: 'x', length: 0, offset: 3, lineBases: 0, lineBytes: 0 }, 0)).toBe(3);
  });
});
