import { describe, expect, test } from 'vitest';
import { parseBcfHeader } from '../../src/index.js';
import { formatHeaderLine, parseHeaderLine } from '../../src/vcf/header-line.js';
import { VariantHeader } from '../../src/vcf/variant-header.js';

const COLUMNS = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO';

function linesOf(...lines: readonly string[]): string[] {
  const header = new VariantHeader({ text: [...lines, COLUMNS, ''].join('\n') });
  return header.toVcf().split('\n').slice(0, -2);
}

describe('parseHeaderLine', () => {
  test.each([
    ['##a=b', '##a=b'],
    ['##a=b=<c>', '##a=b=<c>'],
    ['##a=', '##a='],
    ['##a=<ID=x,Description="y, \\"z\\">">', '##a=<ID=x,Description="y, \\"z\\">">'],
    ['##a=< ID = x , Number = 1 >', '##a=<ID=x,Number=1>'],
    ['##a=<ID=x,Values=[b, c]>', '##a=<ID=x,Values=[b, c]>'],
    ['##a=<ID=x,Nested=<b,c>,Last=1>', '##a=<ID=x,Nested=<b,c>,Last=1>'],
    ['##a=<ID=x> and more', '##a=<ID=x>'],
    ['##a=<ID=x', '##a=<ID=x>'],
    ['##a=<ID="x  ">', '##a=<ID="x">'],
  ])('parses %s', (line, expected) => {
    const parsed = parseHeaderLine(line);
    expect(parsed && formatHeaderLine(parsed)).toBe(expected);
  });

  test.each(['a=b', '##', '##a', '##=b', '##a=<ID>', '##a=<>', '##a=<1=2>', '##a=<ID=x,>', '##a=<ID="x" >'])(
    'leaves out the malformed line %s',
    (line) => expect(parseHeaderLine(line)).toBeUndefined(),
  );
});

describe('VariantHeader', () => {
  test('adds PASS after the first line, and numbers contigs, filters and keys', () => {
    const text = `##fileformat=VCFv4.2
##INFO=<ID=DP,Number=1,Type=Integer,Description="x">
##contig=<ID=chr1,length=5>
##FORMAT=<ID=DP,Number=1,Type=Integer,Description="x">
##contig=<ID=chr2>
##FILTER=<ID=q10,Description="x">
${COLUMNS}\tFORMAT\ta\tb
`;
    const header = new VariantHeader({ text });
    expect(parseBcfHeader(header.toBcf()).text).toBe(`##fileformat=VCFv4.2
##FILTER=<ID=PASS,Description="All filters passed",IDX=0>
##INFO=<ID=DP,Number=1,Type=Integer,Description="x",IDX=1>
##contig=<ID=chr1,length=5,IDX=0>
##FORMAT=<ID=DP,Number=1,Type=Integer,Description="x",IDX=1>
##contig=<ID=chr2,IDX=1>
##FILTER=<ID=q10,Description="x",IDX=2>
${COLUMNS}\tFORMAT\ta\tb
`);
    expect(new VariantHeader(parseBcfHeader(header.toBcf())).toVcf()).toBe(header.toVcf());
    expect(header.samples).toEqual(['a', 'b']);
    expect(header.version).toBe(402);
  });

  test('keeps the first of lines that declare the same, and repeated lines of other kinds once', () => {
    const kept = ['##fileformat=VCFv4.3', '##FILTER=<ID=PASS,Description="All filters passed">'];
    const lines = ['##contig=<ID=a>', '##source=x', '##INFO=<ID=A,Number=1,Type=Flag>', '##ALT=<ID=B>', '##ALT=<ID=B>'];
    const dropped = [
      '##contig=<ID=a,length=3>',
      '##source=x',
      '##INFO=<ID=A,Number=2,Type=Float>',
      '##fileformat=VCFv4.1',
    ];
    const invalid = ['##contig=<length=5>', '##INFO=<Number=1>', '##INFO=<ID=Z,IDX=-1>', 'text'];
    expect(linesOf(kept[0] ?? '', ...lines, ...dropped, ...invalid)).toEqual([...kept, ...lines]);
  });

  test('writes declarations as every reader understands them', () => {
    const lines = [
      '##contig=<ID="a",length="5">',
      '##contig=<ID=b,length=>',
      '##contig=<ID="c,d">',
      '##INFO=<ID="X",Number=1>',
    ];
    expect(linesOf('##fileformat=VCFv4.3', ...lines).slice(2)).toEqual([
      '##contig=<ID=a,length=5>',
      '##contig=<ID=b>',
      '##contig=<ID="c,d">',
      '##INFO=<ID=X,Number=1>',
    ]);
    const header = new VariantHeader({ text: `##fileformat=VCFv4.3\n##contig=<ID="a",IDX="3">\n${COLUMNS}\n` });
    expect(parseBcfHeader(header.toBcf()).contigs).toEqual(new Map([[3, { name: 'a', length: undefined }]]));
  });

  test('appends contigs that the header lacks', () => {
    const header = new VariantHeader({ text: `##contig=<ID=a>\n${COLUMNS}\n`, extraContigs: ['a', 'b'] });
    expect(header.toVcf()).toContain('##contig=<ID=b>\n#CHROM');
    expect(header.contigs.entries.map((entry) => entry?.name)).toEqual(['a', 'b']);
  });

  test('keeps numbers that the header has', () => {
    const header = new VariantHeader({ text: `##contig=<ID=a,IDX=3>\n##contig=<ID=b>\n${COLUMNS}\n` });
    expect(header.contigs.byName.get('a')?.index).toBe(3);
    expect(header.contigs.byName.get('b')?.index).toBe(4);
    expect(parseBcfHeader(header.toBcf()).text).toContain('##contig=<ID=a,IDX=3>');
  });

  test.each([
    ['without the line #CHROM', '##fileformat=VCFv4.3\n'],
    ['with other columns', '#CHROM\tPOS\tID\n'],
    ['with two samples of one name', `${COLUMNS}\tFORMAT\ta\ta\n`],
    ['with an empty name of a sample', `${COLUMNS}\tFORMAT\ta\t\n`],
    ['with conflicting numbers', `##contig=<ID=a,IDX=0>\n##contig=<ID=b,IDX=0>\n${COLUMNS}\n`],
    ['with a number of 2^21 or more', `##contig=<ID=a,IDX=2097152>\n${COLUMNS}\n`],
  ])('refuses a header %s', (_, text) => {
    expect(() => new VariantHeader({ text })).toThrow(expect.objectContaining({ name: 'FormatError' }));
  });
});
