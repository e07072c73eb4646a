import { bgunzip, excessGrowth, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVcfRewriter, type KeySelection, parseVcfHeader } from '../../src/index.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';
import { rewriteLine } from './rewrite-line.js';

const SITE = 'chr1\t7\t.\tA\tC\t.\tPASS\t';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function rewrite(text: string, selection: KeySelection, pieceLengths?: readonly number[]): string {
  return Buffer.from(passPieces(createVcfRewriter(selection), bytes(text), pieceLengths)).toString();
}

/** Rewrites a line that has the given columns from INFO on, and returns its columns from INFO on. */
function rewriteColumns(columns: string, selection: KeySelection): string {
  const rewritten = rewrite(`${SITE}${columns}\n`, selection);
  expect(rewritten.startsWith(SITE) && rewritten.endsWith('\n')).toBe(true);
  return rewritten.slice(SITE.length, -1);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function readLines(name: string): string[] {
  const data = bgunzip(readFixture(name));
  const body = Buffer.from(data.subarray(parseVcfHeader(data).byteLength)).toString();
  return body.split('\n').slice(0, -1);
}

describe('createVcfRewriter', () => {
  test.each<[what: string, selection: KeySelection, columns: string, expected: string]>([
    ['the first key of INFO', { notags: ['A'] }, 'A=1;B;C=x,y', 'B;C=x,y'],
    ['a middle key of INFO', { notags: ['B'] }, 'A=1;B;C=x,y', 'A=1;C=x,y'],
    ['the last key of INFO', { notags: ['C'] }, 'A=1;B;C=x,y', 'A=1;B'],
    ['two keys of INFO', { notags: ['B', 'A'] }, 'A=1;B;C=x,y', 'C=x,y'],
    ['all keys but one of INFO', { tags: ['B'] }, 'A=1;B;C=x,y', 'B'],
    ['all keys of INFO', { tags: [] }, 'A=1;B;C=x,y', '.'],
    ['keys of INFO by their whole names', { notags: ['A', 'BBB'] }, 'AA=1;BB;A=2;a=A', 'AA=1;BB;a=A'],
    ['no key of INFO by its value', { notags: ['x'] }, 'ANN=x=1;B', 'ANN=x=1;B'],
    ['a repeated key', { notags: ['A'] }, 'A=1;B;A=2', 'B'],
    ['keys of notags even if tags lists them', { tags: ['A', 'B'], notags: ['B'] }, 'A=1;B;C=x,y', 'A=1'],
    ['nothing from a missing INFO', { notags: ['A'] }, '.', '.'],
    ['all keys of a missing INFO', { tags: ['A'] }, '.', '.'],
    ['empty entries of INFO', {}, ';A=1;;B;', 'A=1;B'],
    ['nothing from an empty INFO', { notags: ['A'] }, '', '.'],
    ['the first key of FORMAT', { notags: ['GT'] }, '.\tGT:AD:DP\t0/1:1,2:3\t./.:.:.', '.\tAD:DP\t1,2:3\t.:.'],
    ['a middle key of FORMAT', { notags: ['AD'] }, '.\tGT:AD:DP\t0/1:1,2:3\t./.:.:.', '.\tGT:DP\t0/1:3\t./.:.'],
    ['the last key of FORMAT', { notags: ['DP'] }, '.\tGT:AD:DP\t0/1:1,2:3\t./.:.:.', '.\tGT:AD\t0/1:1,2\t./.:.'],
    ['all keys but one of FORMAT', { tags: ['AD'] }, '.\tGT:AD:DP\t0/1:1,2:3\t./.:.:.', '.\tAD\t1,2\t.'],
    ['all keys of FORMAT', { tags: [] }, '.\tGT:AD:DP\t0/1:1,2:3\t./.', '.\t.\t.\t.'],
    ['a key of both INFO and FORMAT', { notags: ['DP'] }, 'DP=3;A\tGT:DP\t0/1:1', 'A\tGT\t0/1'],
    [
      'a value that samples lack',
      { notags: ['AD'] },
      '.\tGT:AD:DP:GQ\t0/1\t0/1:1\t0/1:1:2',
      '.\tGT:DP:GQ\t0/1\t0/1\t0/1:2',
    ],
    ['all values that a sample has', { notags: ['GT', 'AD'] }, '.\tGT:AD:DP\t0/1\t0/1:1\t0/1:1:2', '.\tDP\t.\t.\t2'],
    ['all values but empty ones', { notags: ['A'] }, '.\tA:B\t1:\t1:2\t:', '.\tB\t.\t2\t.'],
    ['a value next to empty ones', { notags: ['B'] }, '.\tA:B:C\t:2:3\t::\t1::', '.\tA:C\t:3\t:\t1:'],
    ['nothing from an empty sample', { notags: ['A'] }, '.\tA:B\t\t1:2', '.\tB\t\t2'],
    ['nothing from a missing FORMAT', { tags: [] }, '.\t.\t.\t.:.', '.\t.\t.\t.:.'],
    ['nothing if FORMAT lacks the key', { notags: ['DP'] }, '.\tGT\t0/1\t0/1:more', '.\tGT\t0/1\t0/1:more'],
    ['a key of FORMAT without samples', { notags: ['GT'] }, '.\tGT:DP', '.\tDP'],
  ])('drops %s', (_, selection, columns, expected) => {
    expect(rewriteColumns(columns, selection)).toBe(expected);
  });

  test('rewrites lines with different FORMAT columns', () => {
    const formats = ['GT:DP', 'GT:DP:AD', 'GT', 'DP:GT', 'GT:DP', '.', 'GTX', 'GT'];
    const lines = formats.map((format) => `${SITE}.\t${format}\t${format}\n`);
    const expected = ['DP', 'DP:AD', '.', 'DP', 'DP', '.', 'GTX', '.'];
    expect(rewrite(lines.join(''), { notags: ['GT'] })).toBe(
      expected.map((format) => `${SITE}.\t${format}\t${format}\n`).join(''),
    );
  });

  test('accepts lines that end with LF, CRLF or the data, and drops blank lines and lines that start with #', () => {
    const [first, second] = [`${SITE}DP=3\tGT:DP\t0/1:3`, `${SITE}A;DP=3`];
    const text = `${first}\r\n\n\r\n#CHROM\t1\n${second}\r\n${second}\n`;
    const expected = `${SITE}.\tGT\t0/1\r\n${SITE}A\r\n${SITE}A\n`;
    expect(rewrite(text, { notags: ['DP'] })).toBe(expected);
    expect(rewrite(text + first, { notags: ['DP'] })).toBe(`${expected}${SITE}.\tGT\t0/1`);
    expect(rewrite(`${text}${second}\r`, { notags: ['DP'] })).toBe(`${expected}${SITE}A\r`);
    expect(rewrite(`${text}\r`, { notags: ['DP'] })).toBe(expected);
    expect(rewrite('', { tags: [] })).toBe('');
  });

  test('reports the offset of a malformed line from the start of the first piece', () => {
    const good = `${SITE}DP=3\tGT:DP\t0/1:3\n`;
    const short = `${good}${SITE.slice(0, -1)}\n`;
    const long = `${good}${SITE}.\tGT:DP\t0/1:1:2\n`;
    const controls = [
      ['A=', '\x01'],
      ['A', '\r;B'],
      ['A\tGT:DP\t0/1', '\r\t.'],
      ['A\tGT:DP\t0/1', '\x00'],
    ].map(([before = '', after = '']) => ({ line: `${SITE}${before}${after}\n`, at: SITE.length + before.length }));
    for (const length of [1, 7, good.length, 1000]) {
      expect(() => rewrite(short, { notags: ['DP'] }, [length])).toThrow(error('INVALID_DATA', good.length));
      const sample = long.lastIndexOf('0/1');
      expect(() => rewrite(long, { notags: ['DP'] }, [length])).toThrow(error('INVALID_DATA', sample));
      for (const { line, at } of controls) {
        const expected = error('INVALID_DATA', good.length + at);
        expect(() => rewrite(good + line, { notags: ['DP'] }, [length])).toThrow(expected);
      }
    }
  });

  test.each(fixtureNames('.vcf.gz'))('agrees with an independent rewriting of each line of %s', (name) => {
    const lines = readLines(name);
    const text = lines.map((line) => `${line}\n`).join('');
    const keys = ['DP', 'AF', 'AC', 'DB', 'ANN', 'END', 'GT', 'GQ', 'AD', 'PL', 'VAF', 'FT', 'NONE'];
    const selections: KeySelection[] = [
      {},
      { tags: [] },
      ...keys.flatMap((key) => [{ tags: [key] }, { notags: [key] }]),
    ];
    for (const selection of selections) {
      const expected = lines.map((line) => `${rewriteLine(line, selection)}\n`).join('');
      expect(rewrite(text, selection, [5000]) === expected, JSON.stringify(selection)).toBe(true);
    }
  });

  test('agrees with an independent rewriting of random lines in any pieces', () => {
    const key = fc.constantFrom('A', 'B', 'C', 'AB', 'ABC', '.');
    const value = fc.constantFrom('1', '.', '0/1', 'x,y', '3,4,5', '%3D', 'ä');
    const entry = fc.oneof(
      key,
      fc.tuple(key, value).map((pair) => pair.join('=')),
    );
    const info = fc.array(entry, { minLength: 1, maxLength: 5 }).map((entries) => entries.join(';'));
    const samples = fc.array(key, { minLength: 1, maxLength: 5 }).chain((keys) => {
      const sample = fc.array(value, { minLength: 1, maxLength: keys.length }).map((values) => values.join(':'));
      return fc.array(sample, { maxLength: 4 }).map((columns) => [keys.join(':'), ...columns].join('\t'));
    });
    const line = fc
      .tuple(info, fc.option(samples))
      .map(([first, rest]) => SITE + (rest === null ? first : `${first}\t${rest}`));
    const names = fc.option(fc.array(key, { maxLength: 3 }), { nil: undefined });
    const selection = fc.record({ tags: names, notags: names });
    const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        selection,
        lengths,
        fc.constantFrom('\n', '\r\n'),
        (lines, kept, pieces, feed) => {
          const expected = lines.map((text) => rewriteLine(text, kept) + feed).join('');
          expect(rewrite(lines.map((text) => text + feed).join(''), kept, pieces)).toBe(expected);
        },
      ),
      { seed: 6, numRuns: volume(2000) },
    );
  });

  test('treats damaged lines alike however the data is cut into pieces', () => {
    const some = bytes(readLines('variants.vcf.gz').slice(0, 12).join('\n'));
    const selection = { notags: ['DP', 'AD'] };
    const outcomes = [...mutations(some, { seed: 7, count: volume(2000) })].map((mutation) => {
      const whole = piecesOutcome(createVcfRewriter(selection), mutation.bytes);
      const inPieces = piecesOutcome(createVcfRewriter(selection), mutation.bytes, [37, 1, 200]);
      return { description: mutation.description, size: mutation.bytes.length, whole, inPieces };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    expect(outcomes.filter(({ whole, size }) => !whole.includes(' ') && whole.length > 2 * size)).toEqual([]);
    expect(outcomes.filter(({ whole }) => whole.includes(' ')).length).toBeGreaterThan(volume(200));
    expect(outcomes.filter(({ whole }) => !whole.includes(' ')).length).toBeGreaterThan(volume(200));
  });

  test.each<[what: string, (size: number) => string]>([
    ['samples', (size) => `${SITE}A\tGT:DP${'\t0/1:1'.repeat(size)}\n`],
    ['entries of INFO', (size) => `${SITE}${'A;B=1;'.repeat(size)}\n`],
    ['keys of FORMAT', (size) => `${SITE}A\t${'GT:DP:'.repeat(size)}\t${'1:'.repeat(2 * size - 1)}1\n`],
    ['different FORMAT columns', (size) => linesOfFormats(size / 10)],
  ])('takes linear time for many %s', (_, build) => {
    const growth = excessGrowth(build, (text) => rewrite(text, { notags: ['DP', 'B'] }), { size: 5_000 });
    expect(growth).toBeLessThan(8);
  });
});

function linesOfFormats(count: number): string {
  return Array.from({ length: count }, (_, index) => `${SITE}A\tGT:DP:X${index}\t1:2:3\n`).join('');
}
