import { bgunzip, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVcfFilter, parseVcfHeader, type VcfInterval } from '../../src/index.js';
import { parseVcfRecordSpan } from '../../src/internal.js';
import { join } from '../bam/build-bam.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function filter(
  data: Uint8Array | string,
  intervals: readonly VcfInterval[],
  pieceLengths?: readonly number[],
): string {
  const whole = typeof data === 'string' ? bytes(data) : data;
  return Buffer.from(passPieces(createVcfFilter(intervals), whole, pieceLengths)).toString();
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function line(position: number | string, { contig = 'chr1', ref = 'A', info = 'DP=3' } = {}): string {
  return `${[contig, position, '.', ref, 'T', '.', 'PASS', info, 'GT', '0/1'].join('\t')}\n`;
}

const chr1 = (start: number, end: number): VcfInterval => ({ referenceName: 'chr1', start, end });

/** Reads the lines after the header, line feeds included. */
function readLines(name: string): string[] {
  const data = bgunzip(readFixture(name));
  const body = data.subarray(parseVcfHeader(data).byteLength);
  return Buffer.from(body)
    .toString()
    .split(/(?<=\n)/);
}

describe.each(fixtureNames('.vcf.gz'))('%s', (name) => {
  const lines = readLines(name).filter((text) => text !== '');
  const body = bytes(lines.join(''));

  test('keeps the records that bcftools finds in each region', () => {
    expect(lines).toHaveLength(expectations(name).recordCount);
    const regions = expectations(name).regions.map((region) => {
      const expected = region.records.flatMap(([first, last]) => lines.slice(first, last + 1)).join('');
      return { ...region, isExact: filter(body, [region]) === expected };
    });
    expect(regions.length).toBeGreaterThan(10);
    expect(regions.filter(({ isExact }) => !isExact)).toEqual([]);
  });
});

describe('createVcfFilter', () => {
  const lines = readLines('variants.vcf.gz').filter((_, ordinal) => ordinal % 10 === 0);
  const data = bytes(lines.join(''));

  test('keeps the lines that overlap an interval, however the data is cut into pieces', () => {
    const interval = fc
      .record({
        referenceName: fc.constantFrom('chr1', 'chr2', 'chrM', 'chr'),
        start: fc.nat(150_000),
        length: fc.integer({ min: 1, max: 5000 }),
      })
      .map(({ referenceName, start, length }) => ({ referenceName, start, end: start + length }));
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(30_000)), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 6 }), lengths, (intervals, pieceLengths) => {
        const expected = lines.filter((text) => {
          const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(bytes(text.trimEnd()));
          const referenceName = text.slice(0, nameLength);
          return intervals.some(
            (one) => one.referenceName === referenceName && one.start < baseEnd && baseStart < one.end,
          );
        });
        expect(filter(data, intervals, pieceLengths)).toBe(expected.join(''));
      }),
      { numRuns: 60 },
    );
  });

  test('takes the end of a record from REF and from END', () => {
    const text = [
      line(10),
      line(10, { ref: 'ACG' }),
      line(10, { info: 'DP=3;END=12' }),
      line(10, { info: 'SVEND=12' }),
    ];
    expect(filter(text.join(''), [chr1(11, 12)])).toBe(`${text[1]}${text[2]}`);
    expect(filter(text.join(''), [chr1(12, 99)])).toBe('');
    expect(filter(text.join(''), [chr1(0, 10)])).toBe(text.join(''));
    expect(filter(text.join(''), [chr1(0, 9)])).toBe('');
  });

  test('finds END anywhere in INFO', () => {
    for (const info of [
      'END=99',
      'A;END=99',
      'AB;END=99',
      'ABC;END=99',
      'NEND=1;DEND=2;EEND=3;END=99',
      'E=N;EN=D;ENDEND=1;END=99',
    ]) {
      expect(filter(line(10, { info }), [chr1(98, 1000)])).toBe(line(10, { info }));
      expect(filter(line(10, { info }), [chr1(99, 1000)])).toBe('');
      expect(filter(line(10, { info: info.slice(0, -3) }), [chr1(98, 1000)])).toBe('');
    }
    expect(filter(line(10, { ref: 'A'.repeat(200) }), [chr1(208, 1000)])).not.toBe('');
    expect(filter(line(10, { ref: 'A'.repeat(200) }), [chr1(209, 1000)])).toBe('');
  });

  test('distinguishes names with a common prefix, in any order, also non-ASCII ones', () => {
    const names = ['chr1', 'chr', 'chr10', 'chr1', 'é', 'chr10', 'HLA-A*01:01:01:01'];
    const text = names.map((contig) => line(5, { contig }));
    for (const referenceName of names) {
      const expected = text.filter((_, index) => names[index] === referenceName).join('');
      for (const length of [1, 9, 1000]) {
        expect(filter(text.join(''), [{ referenceName, start: 0, end: 9 }], [length])).toBe(expected);
      }
    }
  });

  test('places a telomere on the first base, and keeps nothing for an empty interval', () => {
    expect(filter(line(0), [chr1(0, 1)])).toBe(line(0));
    expect(filter(line(0), [chr1(1, 9)])).toBe('');
    expect(filter(line(5), [chr1(4, 4)])).toBe('');
    expect(filter(line(5), [])).toBe('');
    expect(filter(line(5_000_000_000), [chr1(4_999_999_999, Number.MAX_SAFE_INTEGER)])).toBe(line(5_000_000_000));
  });

  test('drops a line that starts before `recordsFrom` of its contig even if it overlaps an interval', () => {
    const intervals = [
      { ...chr1(40, 50), recordsFrom: 30 },
      chr1(60, 70),
      { referenceName: 'chr2', start: 0, end: 50 },
    ];
    const long = { info: 'END=65' };
    const kept = line(31, long) + line(45) + line(1, { contig: 'chr2' });
    expect(filter(line(1, long) + line(30, long) + kept, intervals)).toBe(kept);
  });

  test('counts the bytes of an incomplete record', () => {
    const records = createVcfFilter([chr1(0, 10)]);
    records.push(bytes(`${line(5)}chr1`));
    expect(records.pendingBytes).toBe(4);
    records.push(bytes('\t'));
    expect(records.pendingBytes).toBe(5);
    records.push(bytes('7\t.\n'));
    expect(records.pendingBytes).toBe(0);
  });

  test('is past after a record that starts after the intervals of the only contig', () => {
    const isPast = (intervals: readonly VcfInterval[], text: string): boolean => {
      const records = createVcfFilter(intervals);
      records.push(bytes(text));
      return records.isPast;
    };
    const before = line(5) + line(9, { contig: 'chr2' }) + line(30);
    expect(isPast([chr1(0, 10), chr1(20, 30)], before)).toBe(false);
    expect(isPast([chr1(0, 10), chr1(20, 30)], before + line(31))).toBe(true);
    expect(isPast([chr1(0, 10), { ...chr1(0, 10), referenceName: 'chr2' }], before + line(31))).toBe(false);
  });

  test('keeps CRLF and a last line without a line feed unchanged', () => {
    const text = [line(10), line(20), line(30)].map((one) => one.replace('\n', '\r\n'));
    for (const length of [1, 9, 1000]) {
      expect(filter(text.join(''), [chr1(5, 25)], [length])).toBe(`${text[0]}${text[1]}`);
      for (const last of [line(30).trimEnd(), 'chr1\t30\t.\tAC\r', 'chr1\t30\t.\tAC']) {
        expect(filter(`${text[0]}${last}`, [chr1(29, 30)], [length])).toBe(last);
        expect(filter(`${text[0]}${last}`, [chr1(31, 99)], [length])).toBe('');
      }
    }
    expect(filter('chr1\t30\t.\tAC', [chr1(30, 31)])).toBe('chr1\t30\t.\tAC');
  });

  test('drops blank lines and lines that start with #', () => {
    const text = `#CHROM\tPOS\n\n${line(1)}\n\r\n${line(2)}#chr1\t1\n##a\n\r`;
    for (const length of [1, 9, 1000]) {
      expect(filter(text, [chr1(0, 9), { ...chr1(0, 9), referenceName: '#chr1' }], [length])).toBe(line(1) + line(2));
    }
  });

  test('returns runs within a piece as views of it, and does not retain its memory', () => {
    const piece = bytes([10, 20, 30].map((position) => line(position)).join(''));
    const length = piece.length / 3;
    const recordFilter = createVcfFilter([chr1(5, 25)]);
    const kept = recordFilter.push(piece.subarray(0, -1));
    expect(kept).toEqual([piece.subarray(0, 2 * length)]);
    expect(kept[0]?.buffer).toBe(piece.buffer);
    piece.fill(0);
    expect(recordFilter.push(bytes(`\n${line(11)}`))).toEqual([bytes(line(11))]);
  });

  test('reports the offset of a malformed line from the start of the first piece', () => {
    const good = line(10);
    for (const [bad, at] of [
      ['chr1', 0],
      ['\t5\t.\tA', 0],
      ['chr1\tx\t.\tA', 5],
      ['chr1\t\t.\tA', 5],
      ['chr1\t5', 5],
      ['chr1\t5x\t.\tA', 5],
      [`chr1\t${'9'.repeat(30)}\t.\tA`, 5],
      ['chr1\t20\t.', 0],
      ['chr1\t5\tEND=9', 0],
    ] as const) {
      for (const length of [1, 9, 1000]) {
        expect(() => filter(`${good}${bad}\n`, [chr1(20, 30)], [length])).toThrow(
          error('INVALID_DATA', good.length + at),
        );
        expect(() => filter(`${good}${bad}`, [chr1(20, 30)], [length])).toThrow(
          error('INVALID_DATA', good.length + at),
        );
      }
    }
  });

  test('gathers a line of 4 MiB from small pieces, and skips a million lines without a tab', () => {
    const long = bytes(line(10, { info: `X=${'x'.repeat(2 ** 22)}` }));
    expect(filter(long, [chr1(5, 25)], [64])).toHaveLength(long.length);
    expect(filter('\n'.repeat(2 ** 20), [chr1(5, 25)], [2 ** 20])).toBe('');
    expect(filter('#\n'.repeat(2 ** 20), [chr1(5, 25)], [2 ** 20])).toBe('');
  });

  test('rejects a line over 256 MiB before it allocates memory for it', () => {
    const piece = new Uint8Array(2 ** 28);
    expect(createVcfFilter([]).push(piece.subarray(0, 9))).toEqual([]);
    expect(() => createVcfFilter([]).push(piece)).toThrow(error('LIMIT_EXCEEDED', 0));
    const whole = join([bytes(line(5)), piece, bytes('\n')]);
    expect(() => createVcfFilter([]).push(whole)).toThrow(error('LIMIT_EXCEEDED', line(5).length));
  });

  test('treats damaged lines alike however the data is cut into pieces', () => {
    const some = bytes(lines.slice(100, 110).join(''));
    const intervals = [chr1(0, 1_000_000)];
    const outcomes = [...mutations(some, { seed: 7, count: volume(3000) })].map(({ bytes, description }) => {
      const whole = piecesOutcome(createVcfFilter(intervals), bytes);
      return { description, whole, inPieces: piecesOutcome(createVcfFilter(intervals), bytes, [37, 1, 200]) };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    expect(outcomes.filter(({ whole }) => whole.includes(' ')).length).toBeGreaterThan(volume(100));
  });
});
