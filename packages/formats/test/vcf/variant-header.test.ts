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

  test('keeps all lines, of which the first to declare a name counts', () => {
    const lines = [
      '##fileformat=VCFv4.3',
      '##FILTER=<ID=PASS,Description="All filters passed">',
      '##contig=<ID=a>',
      '##source=x',
      '##source=x',
      '##INFO=<ID=A,Number=1,Type=Flag>',
      '##ALT=<ID=B>',
      '##ALT=<ID=B, Description="again">',
      '##contig=<ID=a,length=3>',
      '##INFO=<ID=A,Number=2,Type=Float>',
      '##contig=<length=5>',
      '##INFO=<Number=1>',
      '##INFO=<ID=Z,IDX=-1>',
      '##INFO=<ID=Y,>',
      '##malformed',
      '##',
    ];
    expect(linesOf(...lines)).toEqual(lines);
    const header = new VariantHeader({ text: [...lines, COLUMNS, ''].join('\n') });
    expect(header.strings.byName.get('A')?.info).toEqual({ name: 'A', number: '1', type: 'Flag' });
    expect(header.contigs.entries.map((entry) => entry?.name)).toEqual(['a']);
    expect(header.strings.entries.map((entry) => entry?.name)).toEqual(['PASS', 'A']);
    expect(parseBcfHeader(header.toBcf()).text).toContain('##contig=<ID=a,length=3,IDX=0>\n##INFO=<ID=A,');
  });

  test('keeps the line of PASS, whose number is 0', () => {
    const pass = '##FILTER=<ID=PASS,Description="Mine",IDX=3>';
    const text = ['##fileformat=VCFv4.3', '##FILTER=<ID=q,Description="x">', pass, COLUMNS, ''].join('\n');
    const header = new VariantHeader({ text });
    expect(header.toVcf().split('\n')[1]).toBe('##FILTER=<ID=PASS,Description="Mine">');
    expect(header.strings.entries.map((entry) => entry?.name)).toEqual(['PASS', 'q']);
  });

  test('takes the last of equal keys of a line, and the first for contigs', () => {
    const info = '##INFO=<ID=A,Number=1,Type=Float,ID=B,Type=Integer>';
    const text = ['##fileformat=VCFv4.3', info, '##contig=<ID=a,length=5,ID=b,Length=6>', COLUMNS, ''].join('\n');
    const header = new VariantHeader({ text });
    expect(header.strings.byName.get('B')?.info).toEqual({ name: 'B', number: '1', type: 'Integer' });
    expect(header.strings.byName.has('A')).toBe(false);
    expect(header.contigs.entries.map((entry) => entry?.name)).toEqual(['a']);
    expect(header.toVcf()).toContain('##contig=<ID=a,length=5,ID=b,Length=6>');
  });

  test('has the version of the last line that states one', () => {
    const text = `##fileformat=VCFv4.2\n##fileformat=VCFv4.4\n${COLUMNS}\n`;
    expect(new VariantHeader({ text }).version).toBe(404);
  });

  test.each(['#comment', 'text', '##a=<b=[c>', '##INFO=<ID=A,Number=[1>'])(
    'reads a header with the line %s, keeps it, and does not convert it',
    (line) => {
      const header = new VariantHeader({ text: `##fileformat=VCFv4.3\n${line}\n##contig=<ID=a>\n${COLUMNS}\n` });
      expect(header.contigs.byName.has('a')).toBe(true);
      const error = expect.objectContaining({
        code: 'INVALID_DATA',
        message: expect.stringContaining(JSON.stringify(line)),
      });
      expect(() => header.checkConvertible()).toThrow(error);
      expect(header.toVcf()).toContain(`${line.startsWith('##INFO') ? '##INFO=<ID=A' : line}`);
    },
  );

  test('writes declarations as every reader understands them', () => {
    const lines = [
      '##contig=<ID="a",length="5">',
      '##contig=<ID=b,length=>',
      '##contig=<ID="c,d">',
      '##INFO=<ID="X",Number="1",Type="Float",Description="x">',
    ];
    expect(linesOf('##fileformat=VCFv4.3', ...lines).slice(2)).toEqual([
      '##contig=<ID=a,length=5>',
      '##contig=<ID=b>',
      '##contig=<ID="c,d">',
      '##INFO=<ID=X,Number=1,Type=Float,Description="x">',
    ]);
    const header = new VariantHeader({ text: `##fileformat=VCFv4.3\n##contig=<ID="a",IDX="3">\n${COLUMNS}\n` });
    expect(parseBcfHeader(header.toBcf()).contigs).toEqual(new Map([[3, { name: 'a', length: undefined }]]));
  });

  test('appends contigs that the header lacks', () => {
    const header = new VariantHeader({ text: `##contig=<ID=a>\n${COLUMNS}\n`, extraContigs: ['a', 'b'] });
    expect(header.toVcf()).toContain('##contig=<ID=b>\n#CHROM');
    expect(header.contigs.entries.map((entry) => entry?.name)).toEqual(['a', 'b']);
    const quoted = new VariantHeader({ text: `${COLUMNS}\n`, extraContigs: ['c,"d'] });
    expect(new VariantHeader({ text: quoted.toVcf() }).contigs.byName.has('c,"d')).toBe(true);
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
