import { bgunzip, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { bcfHeaderLength, FormatError, parseBcfHeader } from '../../src/index.js';
import { ascii, join } from '../bam/build-bam.js';
import { buildBcfHeader } from './build-bcf.js';

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function contigs(...lines: string[]): [number, string, number | undefined][] {
  const header = parseBcfHeader(buildBcfHeader(`${lines.map((line) => `##contig=<${line}>\n`).join('')}\0`));
  return Array.from(header.contigs, ([id, { name, length }]) => [id, name, length]);
}

function strings(...lines: string[]): [number, string][] {
  return [...parseBcfHeader(buildBcfHeader(lines.map((line) => `##${line}>\n`).join(''))).strings];
}

describe('parseBcfHeader', () => {
  test('parses text and contigs, and ignores the data that follows', () => {
    const text = '##fileformat=VCFv4.3\n##contig=<ID=chr1,length=9>\n#CHROM\n';
    const header = buildBcfHeader(`${text}\0`);
    expect(parseBcfHeader(join([header, ascii('more')]))).toEqual({
      text,
      contigs: new Map([[0, { name: 'chr1', length: 9 }]]),
      strings: new Map([[0, 'PASS']]),
      byteLength: header.length,
    });
    expect(parseBcfHeader(join([ascii('xyz'), header]).subarray(3))).toEqual(parseBcfHeader(header));
  });

  test('numbers contigs by their order or by IDX', () => {
    expect(contigs('ID=a', 'ID=b,length=5')).toEqual([
      [0, 'a', undefined],
      [1, 'b', 5],
    ]);
    expect(contigs('ID=a,IDX=5', 'ID=b', 'ID=c,IDX=2')).toEqual([
      [5, 'a', undefined],
      [6, 'b', undefined],
      [2, 'c', undefined],
    ]);
  });

  test('uses the first line of a name', () => {
    expect(contigs('ID=a,length=1', 'ID=a,length=2', 'ID=b')).toEqual([
      [0, 'a', 1],
      [1, 'b', undefined],
    ]);
  });

  test('numbers filters and keys in one dictionary that starts with PASS', () => {
    expect(strings('INFO=<ID=DP', 'FILTER=<ID=q10', 'FORMAT=<ID=GT', 'ALT=<ID=DEL', 'FORMAT=<ID=DP')).toEqual([
      [0, 'PASS'],
      [1, 'DP'],
      [2, 'q10'],
      [3, 'GT'],
    ]);
    expect(strings('FILTER=<ID=PASS,IDX=0', 'INFO=<ID=DP,IDX=5', 'FORMAT=<ID=DP,IDX=6', 'INFO=<ID=AC')).toEqual([
      [0, 'PASS'],
      [5, 'DP'],
      [6, 'AC'],
    ]);
    expect(strings('INFO=<ID=A,Description="x,IDX=9>"', 'INFO=<Number=1', 'INFO=ID', 'source=<x')).toEqual([
      [0, 'PASS'],
      [1, 'A'],
    ]);
  });

  test('rejects a number that two contigs or strings share, and one over the limit', () => {
    expect(() => contigs('ID=a,IDX=1', 'ID=b,IDX=1')).toThrow(error('INVALID_DATA', 9));
    expect(() => contigs('ID=a,IDX=2097152')).toThrow(error('LIMIT_EXCEEDED', 9));
    expect(() => strings('INFO=<ID=a,IDX=0')).toThrow(error('INVALID_DATA', 9));
    expect(() => strings('INFO=<ID=a,IDX=2097152')).toThrow(error('LIMIT_EXCEEDED', 9));
  });

  test('rejects other formats and every proper prefix of a header', () => {
    expect(() => parseBcfHeader(ascii('BCF\x02\x01'))).toThrow(error('INVALID_MAGIC', 0));
    expect(() => parseBcfHeader(ascii('##fileformat'))).toThrow(error('INVALID_MAGIC', 0));
    const header = buildBcfHeader('##fileformat=VCFv4.3\n\0');
    for (let length = 0; length < header.length; length++) {
      expect(() => parseBcfHeader(header.subarray(0, length))).toThrow(error('TRUNCATED', length));
    }
  });

  test.each(fixtureNames('.bcf'))('agrees with the expectations on %s', (name) => {
    const { header, references } = expectations(name);
    const parsed = parseBcfHeader(bgunzip(readFixture(name)));
    expect(parsed.text.replaceAll(/,IDX=\d+/g, '')).toBe(header);
    expect([...parsed.contigs.values()]).toEqual(references.map(({ name, length }) => ({ name, length })));
  });

  test('parses or rejects every damaged header', () => {
    const data = bgunzip(readFixture('variants.bcf')).subarray(0, 3000);
    const outcomes = [...mutations(data, { seed: 6, count: volume(2000) })].map(({ bytes }) => {
      try {
        return parseBcfHeader(bytes).byteLength <= bytes.length ? 'header' : 'too long';
      } catch (cause) {
        return cause instanceof FormatError ? 'FormatError' : cause;
      }
    });
    expect(outcomes.filter((outcome) => outcome !== 'header' && outcome !== 'FormatError')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'FormatError').length).toBeGreaterThan(volume(50));
  });
});

test('bcfHeaderLength is undefined for every proper prefix', () => {
  const header = buildBcfHeader('text');
  for (let length = 0; length < header.length; length++)
    expect(bcfHeaderLength(header.subarray(0, length))).toBeUndefined();
  expect(bcfHeaderLength(header)).toBe(header.length);
});
