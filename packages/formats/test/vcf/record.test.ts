import { bgunzip, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/index.js';
import { parseVcfRecordSpan } from '../../src/internal.js';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function span(position: string, ref: string, info?: string): [start: number, end: number] {
  const columns = ['chr1', position, '.', ref, 'T', '.', 'PASS'];
  const { baseStart, baseEnd } = parseVcfRecordSpan(
    bytes([...columns, ...(info === undefined ? [] : [info])].join('\t')),
  );
  return [baseStart, baseEnd];
}

function error(offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code: 'INVALID_DATA', offset }) as Error;
}

describe('parseVcfRecordSpan', () => {
  test('parses name and position, and takes the length from REF', () => {
    expect(parseVcfRecordSpan(bytes('chr1\t100\t.\tACG\tT\t.\tPASS\tDP=3\tGT\t0/1'))).toEqual({
      nameLength: 4,
      baseStart: 99,
      baseEnd: 102,
      refLength: 3,
    });
    expect(parseVcfRecordSpan(bytes('é\t1\t\tN'))).toEqual({
      nameLength: 2,
      baseStart: 0,
      baseEnd: 1,
      refLength: 1,
    });
    expect(span('5', '')).toEqual([4, 5]);
  });

  test('takes the end from END anywhere in INFO, if it is after REF', () => {
    expect(span('100', 'A', 'END=2000')).toEqual([99, 2000]);
    expect(span('100', 'A', 'DP=1;END=2000;AF=0.5')).toEqual([99, 2000]);
    expect(span('100', 'ACGT', 'END=100')).toEqual([99, 103]);
    expect(span('100', 'A', 'END=2000\tEND')).toEqual([99, 2000]);
  });

  test('ignores an END that is before the record or not a number', () => {
    for (const info of [
      'END=99',
      'END=.',
      'END=',
      'END=-5',
      'END=x',
      `END=${'9'.repeat(30)}`,
      'SVEND=500',
      'XEND=5;END',
    ]) {
      expect(span('100', 'ACG', info)).toEqual([99, 102]);
    }
    expect(span('100', 'A', 'DP=1\tEND=500')).toEqual([99, 100]);
  });

  test('places a telomere on the first base, and ends it where a BCF record ends', () => {
    expect(span('0', 'A')).toEqual([0, 1]);
    expect(span('0', 'ACG')).toEqual([0, 2]);
  });

  test('parses positions over 2^31', () => {
    expect(span('5000000000', 'A', 'END=5000001000')).toEqual([4999999999, 5000001000]);
  });

  test('rejects a line without REF or without a valid position', () => {
    for (const line of ['', 'chr1', 'chr1\t5', 'chr1\t5\t.', '\t5\t.\tA']) {
      expect(() => parseVcfRecordSpan(bytes(line))).toThrow(error(0));
    }
    for (const position of ['', '.', 'x', '-1', '1.5', '1e3', '9'.repeat(20)]) {
      expect(() => span(position, 'A')).toThrow(error(5));
    }
  });

  test('parses or rejects every damaged line', () => {
    const text = Buffer.from(bgunzip(readFixture('variants.vcf.gz')));
    const line = text.subarray(text.lastIndexOf('\n', text.length - 2) + 1, -1);
    const damaged = [...mutations(line, { seed: 8, count: volume(4000) })].map(({ bytes }) => bytes);
    const outcomes = damaged.map((bytes) => {
      try {
        const { baseStart, baseEnd, nameLength } = parseVcfRecordSpan(bytes);
        return baseStart < baseEnd && nameLength < bytes.length ? 'span' : 'no span';
      } catch (cause) {
        return cause instanceof FormatError ? 'FormatError' : cause;
      }
    });
    expect(outcomes.filter((outcome) => outcome !== 'span' && outcome !== 'FormatError')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'FormatError').length).toBeGreaterThan(volume(300));
  });
});
