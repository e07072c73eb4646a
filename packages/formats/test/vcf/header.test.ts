import { bgunzip, expectations, fixtureNames, mutations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError, parseVcfHeader, vcfHeaderLength } from '../../src/index.js';

const FIRST = '##fileformat=VCFv4.3\n';
const COLUMNS = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
const RECORD = 'chr1\t5\t.\tA\tC\t.\tPASS\t.\n';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

describe('vcfHeaderLength', () => {
  test('ends after the line of columns, whatever data follows', () => {
    const header = FIRST + COLUMNS;
    for (const rest of ['', RECORD, '#a\n', '\n']) expect(vcfHeaderLength(bytes(header + rest))).toBe(header.length);
    for (let length = 0; length < header.length; length++) {
      expect(vcfHeaderLength(bytes(header.slice(0, length)))).toBeUndefined();
    }
  });

  test('ends before the first record if the line of columns is missing', () => {
    const header = `${FIRST}##a\n\r\n\n#b\n`;
    expect(vcfHeaderLength(bytes(header + RECORD))).toBe(header.length);
    expect(vcfHeaderLength(bytes(`${header}c`))).toBe(header.length);
    expect(vcfHeaderLength(bytes(header))).toBeUndefined();
  });

  test('ends with the data if that is whole', () => {
    for (const header of [FIRST, FIRST + COLUMNS, FIRST + COLUMNS.trimEnd(), FIRST.trimEnd(), `${FIRST}##a`]) {
      expect(vcfHeaderLength(bytes(header), { isWhole: true })).toBe(header.length);
    }
    expect(vcfHeaderLength(bytes(FIRST + COLUMNS + RECORD), { isWhole: true })).toBe((FIRST + COLUMNS).length);
    expect(vcfHeaderLength(bytes('##fileformat=VC'), { isWhole: true })).toBeUndefined();
    expect(vcfHeaderLength(new Uint8Array(0), { isWhole: true })).toBeUndefined();
  });

  test('rejects other formats', () => {
    for (const text of ['x', '##fileformat=BED', COLUMNS, RECORD, `\uFEFF${FIRST}`, `\n${FIRST}`]) {
      expect(() => vcfHeaderLength(bytes(text))).toThrow(error('INVALID_MAGIC', 0));
    }
  });
});

describe('parseVcfHeader', () => {
  test('parses text and contigs, and ignores the data that follows', () => {
    const text = `${FIRST}##contig=<ID=a,length=9>\r\n##contig=<ID=b,IDX=7>\n##contig=<ID=a,length=5>\n##contig=<x>\n${COLUMNS}`;
    expect(parseVcfHeader(bytes(`${text}##contig=<ID=c>\n`))).toEqual({
      text,
      contigs: [
        { name: 'a', length: 9, index: undefined },
        { name: 'b', length: undefined, index: 7 },
      ],
      byteLength: text.length,
    });
    expect(parseVcfHeader(bytes(`${FIRST}##contig=<ID=a>`)).contigs).toHaveLength(1);
  });

  test('rejects less than "##fileformat=VCF" as TRUNCATED', () => {
    for (let length = 0; length < '##fileformat=VCF'.length; length++) {
      expect(() => parseVcfHeader(bytes(FIRST.slice(0, length)))).toThrow(error('TRUNCATED', length));
    }
  });

  test.each(fixtureNames('.vcf.gz'))('agrees with the expectations on %s', (name) => {
    const { header, references } = expectations(name);
    const { text, contigs, byteLength } = parseVcfHeader(bgunzip(readFixture(name)));
    expect(text).toBe(header);
    expect(byteLength).toBe(header.length);
    expect(contigs).toEqual(references.map(({ name, length }) => ({ name, length, index: undefined })));
  });

  test('parses or rejects every damaged header', () => {
    const data = bgunzip(readFixture('variants.vcf.gz')).subarray(0, 2500);
    const outcomes = [...mutations(data, { seed: 6, count: 2000 })].map(({ bytes }) => {
      try {
        return parseVcfHeader(bytes).byteLength <= bytes.length ? 'header' : 'too long';
      } catch (cause) {
        return cause instanceof FormatError ? 'FormatError' : cause;
      }
    });
    expect(outcomes.filter((outcome) => outcome !== 'header' && outcome !== 'FormatError')).toEqual([]);
    expect(outcomes).toContain('FormatError');
  });
});
