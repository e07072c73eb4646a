import { bgunzip, expectations, fixtureNames, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseContigLine } from '../../src/index.js';

test('reads name, length and number', () => {
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

test('values may stand in quotes, with what else would end them', () => {
  const line = String.raw`##contig=<ID=1,species="a, \"b\", length=5",assembly="x=y">`;
  expect(parseContigLine(line)).toEqual({ name: '1', length: undefined, index: undefined });
  expect(parseContigLine('##contig=<length="12",ID="a,b">\r')).toEqual({ name: 'a,b', length: 12, index: undefined });
});

test('takes time by the length of a line, whatever stands in it', () => {
  const long = 'a'.repeat(2 ** 21);
  for (const text of [long, `ID=${long}`, `ID="${long}`, `${'a,'.repeat(2 ** 20)}ID=x`, `${'"='.repeat(2 ** 20)}`]) {
    const start = performance.now();
    parseContigLine(`##contig=<${text}>`);
    expect(performance.now() - start).toBeLessThan(5000);
  }
});

test('what is no number is no length', () => {
  for (const length of ['', '.', '-1', '1e3', '9'.repeat(20)]) {
    expect(parseContigLine(`##contig=<ID=1,length=${length}>`)?.length).toBeUndefined();
  }
});

test.each(['##INFO=<ID=DP>', '#CHROM', '##contig=<length=5>', '##contig=chr1', ''])('%j declares none', (line) => {
  expect(parseContigLine(line)).toBeUndefined();
});

test.each(fixtureNames('.vcf.gz'))('%s: as many contigs and as long as in the expectations', (name) => {
  const lines = Buffer.from(bgunzip(readFixture(name)))
    .toString()
    .split('\n');
  const contigs = lines.map(parseContigLine).filter((contig) => contig !== undefined);
  const { references } = expectations(name);
  expect(contigs.map(({ name, length }) => ({ name, length }))).toEqual(
    references.map(({ name, length }) => ({ name, length })),
  );
});
