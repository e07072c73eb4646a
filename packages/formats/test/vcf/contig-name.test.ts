import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseContigLine } from '../../src/internal.js';
import { readContigName } from '../../src/vcf/contig-name.js';

function read(line: string): { name: string; index: number | undefined } | undefined {
  const data = new TextEncoder().encode(`x${line}\n`);
  const contig = readContigName(data, 1, data.length - 1);
  return contig && { name: new TextDecoder().decode(contig.name), index: contig.index };
}

function expected(line: string): ReturnType<typeof read> {
  const contig = parseContigLine(line);
  return contig && { name: contig.name, index: contig.index };
}

describe('readContigName', () => {
  test.each([
    ['##contig=<ID=chr1>', 'chr1', undefined],
    ['##contig=<ID=chr1,length=5,IDX=12>\r', 'chr1', 12],
    ['##contig=<ID=,length=5>', '', undefined],
    ['##contig=<ID=HLA-A*01:01,assembly=x,IDX=7,IDX=8>', 'HLA-A*01:01', 7],
    ['##contig=<ID=a,IDXX=5,ID=b>', 'a', undefined],
    ['##contig=<id=a,idx=5>', 'a', 5],
    ['##contig=< ID = a , length = 5 >', 'a', undefined],
    ['##contig=<ID=a b >\r', 'a b', undefined],
    ['##contig=<ID=a,IDX="3">', 'a', 3],
    ['##contig=<ID=a\r', 'a', undefined],
    ['##contig=<length=5,ID=c,IDX=1> ', 'c', 1],
    ['##contig=<ID="a,b",IDX=1>', 'a,b', 1],
    ['##contig=<ID=a,Description="x,IDX=3">', 'a', undefined],
    ['##contig=<ID=\u00e9>', '\u00e9', undefined],
  ])('reads %s', (line, name, index) => {
    expect(read(line)).toEqual({ name, index });
  });

  test.each([
    '##contig=<length=5>',
    '##contig=ID=a',
    '##contig=<ID>',
    '##contig=<ID=a,x>',
    '##contig=<ID=a,IDX=x>',
    '##contig=<ID=a,IDX=>',
    '##contig=<ID=a,IDX=12345678901234567890>',
  ])('finds no name in %s', (line) => {
    expect(read(line)).toBeUndefined();
  });

  test('agrees with parseContigLine on every line', () => {
    const parts = [
      'ID',
      'id',
      'IDX',
      'x.',
      'length',
      '=',
      '=',
      ',',
      ',',
      '"',
      '>',
      '<',
      '[',
      'a',
      '7',
      '\\',
      ' ',
      '\r',
      '\u00e9',
    ];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((chosen) => chosen.join(''));
    const line = fc.tuple(
      fc.constantFrom('##contig=<ID=a,', '##contig=<ID=', '##contig=<'),
      text,
      fc.constantFrom('>', ''),
    );
    fc.assert(
      fc.property(line, (chosen) => {
        const joined = chosen.join('');
        expect(read(joined)).toEqual(expected(joined));
      }),
      { numRuns: volume(20_000) },
    );
  });
});
