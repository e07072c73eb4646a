import { bgunzip, excessGrowth, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { FormatError, parseVcfHeader } from '../../src/index.js';
import { parseContigLine, VcfHeaderReader } from '../../src/internal.js';
import { checkContigCount } from '../../src/vcf/header.js';

const FIRST = '##fileformat=VCFv4.3\n';
const COLUMNS = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
const RECORD = 'chr1\t5\t.\tA\tC\t.\tPASS\t.\n';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

/** Returns the length of the header that `data` starts with, or undefined if more data is needed. */
function readLength(data: Uint8Array, options?: { readonly isWhole: boolean }): number | undefined {
  return new VcfHeaderReader().read(data, options);
}

describe('the length of a header', () => {
  test('ends after the line of columns, whatever data follows', () => {
    const header = FIRST + COLUMNS;
    for (const rest of ['', RECORD, '#a\n', '\n']) expect(readLength(bytes(header + rest))).toBe(header.length);
    for (let length = 0; length < header.length; length++) {
      expect(readLength(bytes(header.slice(0, length)))).toBeUndefined();
    }
  });

  test('ends before the first record if the line of columns is missing', () => {
    const header = `${FIRST}##a\n\r\n\n#b\n`;
    expect(readLength(bytes(header + RECORD))).toBe(header.length);
    expect(readLength(bytes(`${header}c`))).toBe(header.length);
    expect(readLength(bytes(header))).toBeUndefined();
  });

  test('ends with the data if that is whole', () => {
    for (const header of [FIRST, FIRST + COLUMNS, FIRST + COLUMNS.trimEnd(), FIRST.trimEnd(), `${FIRST}##a`]) {
      expect(readLength(bytes(header), { isWhole: true })).toBe(header.length);
    }
    expect(readLength(bytes(FIRST + COLUMNS + RECORD), { isWhole: true })).toBe((FIRST + COLUMNS).length);
    expect(readLength(bytes('##fileformat=VC'), { isWhole: true })).toBeUndefined();
    expect(readLength(new Uint8Array(0), { isWhole: true })).toBeUndefined();
  });

  test('rejects other formats', () => {
    for (const text of ['x', '##fileformat=BED', COLUMNS, RECORD, `\uFEFF${FIRST}`, `\n${FIRST}`]) {
      expect(() => readLength(bytes(text))).toThrow(error('INVALID_MAGIC', 0));
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
    const outcomes = [...mutations(data, { seed: 6, count: volume(2000) })].map(({ bytes }) => {
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
  const growth = excessGrowth((size) => `##contig=<${build(size)}>`, parseContigLine, { size: 2 ** 18 });
  expect(growth).toBeLessThan(8);
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

describe('VcfHeaderReader', () => {
  const text = `##fileformat=VCFv4.3\n##contig=<ID=a,length=7>\r\n\n##contig=<ID=a>\n##contig=<ID=b>\n#CHROM\tPOS\nb\t1\n`;
  const data = new TextEncoder().encode(text);

  test.each([1, 7, 50, 1000])('reads parts of %i bytes as the whole', (partLength) => {
    const reader = new VcfHeaderReader();
    let byteLength: number | undefined;
    for (let end = partLength; byteLength === undefined; end += partLength)
      byteLength = reader.read(data.subarray(0, end));
    const expected = parseVcfHeader(data);
    expect(byteLength).toBe(expected.byteLength);
    expect([...reader.referenceIds]).toEqual(expected.contigs.map(({ name }, id) => [name, id]));
    expect(expected.contigs.map(({ name, length }) => [name, length])).toEqual([
      ['a', 7],
      ['b', undefined],
    ]);
  });

  test('a last line without its end counts if nothing follows', () => {
    const cut = new TextEncoder().encode('##fileformat=VCFv4.3\n##contig=<ID=a>');
    const reader = new VcfHeaderReader();
    expect([reader.read(cut), reader.referenceIds.size]).toEqual([undefined, 0]);
    expect([reader.read(cut, { isWhole: true }), ...reader.referenceIds.keys()]).toEqual([cut.length, 'a']);
  });

  test('searches each byte for the end of a line once', () => {
    const long = new TextEncoder().encode(`##fileformat=VCFv4.3\n##x=${'y'.repeat(100_000)}`);
    const search = vi.spyOn(Uint8Array.prototype, 'indexOf');
    const reader = new VcfHeaderReader();
    for (let end = 1000; end < long.length; end += 1000) reader.read(long.subarray(0, end));
    const starts = search.mock.calls.map(([, from]) => from ?? 0);
    search.mockRestore();
    expect(starts.slice(-2)).toEqual([98_000, 99_000]);
  });
});

test('2^21 contigs are within the limit', () => {
  expect(() => checkContigCount(2 ** 21, 5)).not.toThrow();
  expect(() => checkContigCount(2 ** 21 + 1, 5)).toThrow(error('LIMIT_EXCEEDED', 5));
});
