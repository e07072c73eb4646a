import { excessGrowth, mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createVcfFilter, FormatError } from '../../src/index.js';
import { hasAlleleLengths, parseVcfRecordSpan } from '../../src/internal.js';
import { ALLELE_LENGTH_CASES, alleleLengthLine } from '../allele-lengths.js';
import { passPieces } from '../record-pieces.js';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function endOf(line: string): number {
  return parseVcfRecordSpan(bytes(line)).baseEnd;
}

test.each([
  ['##fileformat=VCFv4.3\n', false],
  ['##fileformat=VCFv4.4\r\n##contig=<ID=1>', true],
  ['##fileformat=VCFv4.5', true],
  ['##fileformat=VCFv4.10', true],
  ['##fileformat=VCFv5.0', true],
  ['##fileformat=VCFv3.9', false],
  ['##fileformat=VCF', false],
  ['##source=VCFv4.5\n##fileformat=VCFv4.2', false],
  ['##fileformat=VCFv4.2\n##fileformat=VCFv4.4', true],
  ['', false],
])('the version of %j has allele lengths in rlen: %s', (text, expected) => {
  expect(hasAlleleLengths(text)).toBe(expected);
});

describe.each(ALLELE_LENGTH_CASES.map((one) => ({ line: alleleLengthLine(one), ...one })))(
  '$ref to $alt, $info, $samples',
  ({ line, last }) => {
    test(`ends at ${last}`, () => {
      expect(endOf(line)).toBe(last);
    });

    test('is kept for its last base, and dropped after it', () => {
      const isKept = (base: number): boolean => {
        const filter = createVcfFilter([{ referenceName: 'chr1', start: base - 1, end: base }]);
        return passPieces(filter, bytes(`${line}\n`)).length > 0;
      };
      expect([999, 1000, last, last + 1].map(isKept)).toEqual([false, true, true, false]);
    });
  },
);

test('counts the lengths of a telomere from base 0', () => {
  expect(endOf('chr1\t0\t.\tN\t<DEL>\t.\t.\tSVLEN=50')).toBe(50);
  expect(endOf('chr1\t0\t.\tN\t<*>\t.\t.\t.\tLEN\t50')).toBe(49);
});

test('ignores lengths that are not integers or too large, and lines without the columns', () => {
  for (const svlen of ['', '.', '-', 'x', '0', '9'.repeat(20)]) {
    expect(endOf(`chr1\t1000\t.\tA\t<DEL>\t.\t.\tSVLEN=${svlen}`)).toBe(1000);
    expect(endOf(`chr1\t1000\t.\tA\t<*>\t.\t.\t.\tLEN\t${svlen}`)).toBe(1000);
  }
  for (const line of [
    'chr1\t1000\t.\tA',
    'chr1\t1000\t.\tA\t<DEL>',
    'chr1\t1000\t.\tA\t<*>\t.\t.\t.\tLEN',
    'chr1\t1000\t.\tA\t<',
  ]) {
    expect(endOf(line)).toBe(1000);
  }
  expect(endOf('chr1\t1000\t.\tA\t<DEL>\t.\t.\tXSVLEN=5;SVLEN;SVLENX=5\tSVLEN=7')).toBe(1000);
});

test('parses or rejects every damaged line', () => {
  const line = bytes('chr1\t1000\t.\tAC\tG,<DEL>,<*>\t.\tPASS\tEND=1005;SVLEN=.,-100,.\tGT:LEN\t0/0:100\t./.:7');
  const outcomes = [...mutations(line, { seed: 9, count: volume(3000) })].map(({ bytes: damaged }) => {
    try {
      const { baseStart, baseEnd } = parseVcfRecordSpan(damaged);
      return baseStart < baseEnd ? 'span' : 'no span';
    } catch (cause) {
      return cause instanceof FormatError ? 'FormatError' : cause;
    }
  });
  expect(outcomes.filter((outcome) => outcome !== 'span' && outcome !== 'FormatError')).toEqual([]);
});

test.each<[string, (size: number) => string]>([
  ['alleles', (size) => `${'<DEL>,'.repeat(size)}<DEL>\t.\t.\tSVLEN=${'5,'.repeat(size)}5`],
  ['samples', (size) => `<*>\t.\t.\t.\tLEN${'\t5'.repeat(size)}`],
  ['keys', (size) => `<*>\t.\t.\t.\t${'A:'.repeat(size)}LEN\t${'.:'.repeat(size)}5`],
])('takes linear time for many %s', (_, columns) => {
  const toLine = (size: number): Uint8Array => bytes(`chr1\t1000\t.\tA\t${columns(size)}`);
  const run = (line: Uint8Array): unknown => parseVcfRecordSpan(line);
  expect(excessGrowth(toLine, run, { size: 10_000 })).toBeLessThan(8);
});
