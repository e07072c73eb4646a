import { bgunzip, excessGrowth, expectations, fixtureNames, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseContigLine } from '../../src/index.js';

test('parses name, length and number', () => {
  expect(parseContigLine('##contig=<ID=chr1,length=248956422,IDX=7>')).toEqual({
    name: 'chr1',
    length: 248956422,
    index: 7,
  });
  expect(parseContigLine('##contig=<ID=HLA-A*01:01:01:01>')).toEqual({
    name: 'HLA-A*01:01:01:01',
    length: undefined,
    index: undefined,
  });
});

test('parses quoted values that contain delimiters', () => {
  const line = String.raw`##contig=<ID=1,species="a, \"b\", length=5",assembly="x=y">`;
  expect(parseContigLine(line)).toEqual({ name: '1', length: undefined, index: undefined });
  expect(parseContigLine('##contig=<length="12",ID="a,b">\r')).toEqual({ name: 'a,b', length: 12, index: undefined });
});

test.each<[what: string, (size: number) => string]>([
  ['without entries', (size) => 'a'.repeat(size)],
  ['of one long value', (size) => `ID=${'a'.repeat(size)}`],
  ['of an unclosed quote', (size) => `ID="${'a'.repeat(size)}`],
  ['of many commas', (size) => `${'a,'.repeat(size / 8)}ID=x`],
  ['of many quotes', (size) => '"='.repeat(size / 32)],
])('parses a line %s in linear time', (_, build) => {
  const growth = excessGrowth((size) => `##contig=<${build(size)}>`, parseContigLine, { size: 2 ** 20 });
  expect(growth).toBeLessThan(4);
});

test('ignores a length that is not a number', () => {
  for (const length of ['', '.', '-1', '1e3', '9'.repeat(20)]) {
    expect(parseContigLine(`##contig=<ID=1,length=${length}>`)?.length).toBeUndefined();
  }
});

test.each(['##INFO=<ID=DP>', '#CHROM', '##contig=<length=5>', '##contig=chr1', ''])(
  'returns undefined for %j',
  (line) => {
    expect(parseContigLine(line)).toBeUndefined();
  },
);

test.each(fixtureNames('.vcf.gz'))('agrees with the expectations on the contigs of %s', (name) => {
  const lines = Buffer.from(bgunzip(readFixture(name)))
    .toString()
    .split('\n');
  const contigs = lines.map(parseContigLine).filter((contig) => contig !== undefined);
  const { references } = expectations(name);
  expect(contigs.map(({ name, length }) => ({ name, length }))).toEqual(
    references.map(({ name, length }) => ({ name, length })),
  );
});
