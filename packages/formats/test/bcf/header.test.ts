import { bgunzip, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError, parseBcfHeader } from '../../src/index.js';
import { BcfHeaderReader } from '../../src/internal.js';
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

test('the length of a header is undefined for every proper prefix', () => {
  const header = buildBcfHeader('text');
  for (let length = 0; length < header.length; length++)
    expect(new BcfHeaderReader().read(header.subarray(0, length))).toBeUndefined();
  expect(new BcfHeaderReader().read(header)).toBe(header.length);
});

describe('BcfHeaderReader', () => {
  const LINES = [
    '##fileformat=VCFv4.3',
    '##contig=<ID=a,IDX=5>',
    '##INFO=<ID=DP,IDX=3>',
    '##contig=<ID=a>',
    '##contig=<ID="b,c",length=9>\r',
    '',
    '##contig=<ID=d,IDX=2>',
  ];

  /** What is read of a header that arrives in parts. */
  function readParts(data: Uint8Array, partLength: number): object {
    const reader = new BcfHeaderReader();
    let byteLength: number | undefined;
    for (let end = 0; byteLength === undefined && end < data.length + partLength; end += partLength)
      byteLength = reader.read(data.subarray(0, end));
    const text = new TextDecoder().decode(reader.textBytes(data.subarray(0, byteLength)));
    return {
      text,
      contigs: [...reader.referenceIds],
      nextId: reader.referenceIds.nextId,
      strings: reader.strings,
      byteLength,
    };
  }

  test.each([
    ['line feed and NUL', '\n\0'],
    ['NUL', '\0'],
    ['line feed', '\n'],
    ['line without a line feed', ''],
    ['NUL and lines that are ignored', '\0\n##contig=<ID=e>\n'],
  ])('reads parts of any length as parseBcfHeader does the whole if the text ends with a %s', (_, ending) => {
    const header = buildBcfHeader(LINES.join('\n') + ending);
    const { text, contigs, strings, byteLength } = parseBcfHeader(header);
    const expected = {
      text,
      contigs: Array.from(contigs, ([id, { name }]) => [name, id]),
      nextId: 7,
      strings,
      byteLength,
    };
    expect(expected.contigs).toEqual([
      ['a', 5],
      ['b,c', 6],
      ['d', 2],
    ]);
    const data = join([header, ascii('##contig=<ID=f>\n')]);
    for (const partLength of [1, 2, 7, 50, 1000]) expect(readParts(data, partLength)).toEqual(expected);
  });

  test('reads the lines that have arrived before the header is complete', () => {
    const header = buildBcfHeader(LINES.join('\n'));
    const reader = new BcfHeaderReader();
    expect(reader.read(header.subarray(0, header.length - 5))).toBeUndefined();
    expect([...reader.referenceIds.keys()]).toEqual(['a', 'b,c']);
  });

  test('looks contigs up by their names', () => {
    const reader = new BcfHeaderReader();
    reader.read(buildBcfHeader(LINES.join('\n')));
    const { referenceIds: contigs } = reader;
    expect([contigs.size, contigs.get('d'), contigs.has('a'), contigs.get('x'), contigs.has('x')]).toEqual([
      3,
      2,
      true,
      undefined,
      false,
    ]);
    expect([[...contigs.keys()], [...contigs.values()]]).toEqual([
      ['a', 'b,c', 'd'],
      [5, 6, 2],
    ]);
    expect(contigs.byteLength).toBeGreaterThan(0);
  });

  test('rejects a number that two contigs share, and one over the limit', () => {
    const read = (...lines: string[]): unknown => new BcfHeaderReader().read(buildBcfHeader(lines.join('\n')));
    expect(() => read('##contig=<ID=a,IDX=1>', '##contig=<ID=b,IDX=1>')).toThrow(error('INVALID_DATA', 9));
    expect(() => read('##contig=<ID=a,IDX=2097152>')).toThrow(error('LIMIT_EXCEEDED', 9));
    expect(() => new BcfHeaderReader().read(ascii('##fileformat'))).toThrow(error('INVALID_MAGIC', 0));
  });

  test('reads every damaged header as parseBcfHeader does', () => {
    const data = bgunzip(readFixture('variants.bcf')).subarray(0, 3000);
    const outcome = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (cause) {
        return cause instanceof FormatError ? cause.code : cause;
      }
    };
    for (const { bytes } of mutations(data, { seed: 7, count: volume(2000) })) {
      const whole = outcome(() => {
        const { contigs, strings, byteLength } = parseBcfHeader(bytes);
        return { contigs: Array.from(contigs, ([id, { name }]) => [name, id]), strings, byteLength };
      });
      const read = outcome(() => {
        const reader = new BcfHeaderReader();
        const byteLength = reader.read(bytes);
        if (byteLength === undefined) return 'TRUNCATED';
        return { contigs: [...reader.referenceIds], strings: reader.strings, byteLength };
      });
      // The reader finds faults before the end of the header.
      expect(whole === 'TRUNCATED' ? whole : read).toEqual(whole);
    }
  });
});
