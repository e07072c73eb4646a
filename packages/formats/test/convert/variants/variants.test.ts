import { checkMutations, excessGrowth, type MutationOutcomes, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createBcfToVcf, createVcfToBcf, FormatError, parseBcfHeader, parseVcfHeader } from '../../../src/index.js';
import { passPieces } from '../../record-pieces.js';
import { RANDOM_HEADER, randomVcf } from './random-vcf.js';

const META = `##fileformat=VCFv4.3
##contig=<ID=chr1>
##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">
##INFO=<ID=AF,Number=A,Type=Float,Description="Frequency">
##INFO=<ID=END,Number=1,Type=Integer,Description="End">
##INFO=<ID=DB,Number=0,Type=Flag,Description="Flag">
##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">
##FORMAT=<ID=DP,Number=1,Type=Integer,Description="Depth">
##FORMAT=<ID=FT,Number=1,Type=String,Description="Filter">
`;
const SITES = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO';
const HEADER = `${META}${SITES}\tFORMAT\ts1\ts2\n`;

function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function toBcf(vcf: string, pieceLengths?: readonly number[]): Uint8Array {
  const bytes = ascii(vcf);
  const header = parseVcfHeader(bytes);
  const converter = createVcfToBcf(header);
  return Buffer.concat([converter.header, passPieces(converter, bytes.subarray(header.byteLength), pieceLengths)]);
}

function toVcf(bcf: Uint8Array, pieceLengths?: readonly number[]): string {
  const header = parseBcfHeader(bcf);
  const converter = createBcfToVcf(header);
  const records = passPieces(converter, bcf.subarray(header.byteLength), pieceLengths);
  return Buffer.concat([converter.header, records]).toString('latin1');
}

/** Converts the columns of a line to a BCF record and back. */
function roundTrip(...columns: readonly string[]): string[] {
  const text = toVcf(toBcf(`${HEADER}${columns.join('\t')}\n`));
  return (text.split('\n').at(-2) ?? '').split('\t');
}

function recordBytes(header: string, line: string): string {
  const bcf = toBcf(`${header}${line}\n`);
  return Buffer.from(bcf.subarray(parseBcfHeader(bcf).byteLength)).toString('hex');
}

describe('createVcfToBcf', () => {
  test('finds the ends of texts of INFO, short and long', () => {
    const texts = ['a', 'b'.repeat(127), 'c'.repeat(128), 'd'.repeat(300)];
    const header = `${META}${texts.map((_, index) => `##INFO=<ID=T${index},Number=1,Type=String,Description="">\n`).join('')}${SITES}\n`;
    const info = texts.map((text, index) => `T${index}=${text}`);
    for (const entries of [info, info.toReversed(), ...info.map((entry) => [entry])]) {
      const line = `chr1\t10\t.\tA\t.\t.\t.\t${entries.join(';')}`;
      expect(
        toVcf(toBcf(`${header}${line}\n`))
          .split('\n')
          .at(-2),
      ).toBe(line);
    }
  });

  test('takes linear time for a piece of many lines without a semicolon', () => {
    const header = `##fileformat=VCFv4.3\n##contig=<ID=1>\n##INFO=<ID=T,Number=1,Type=String,Description="">\n${SITES}\n`;
    const growth = excessGrowth(
      (size) => ascii('1\t10\t.\tA\t.\t.\t.\tT=ab\n'.repeat(size)),
      (lines) => passPieces(createVcfToBcf(parseVcfHeader(ascii(header))), lines, [lines.length]),
      { size: 1500 },
    );
    expect(growth).toBeLessThan(8);
  });

  test('encodes a record as the specification lays it out', () => {
    const line = 'chr1\t10\trs1\tAC\tG,<DEL>\t30\tPASS\tDP=300;AF=0.5,.;DB\tGT:DP:FT\t0|1:5:ab\t./.';
    const shared = [
      '00000000 09000000 02000000 0000f041', // CHROM, POS, rlen, QUAL
      '0300 0300 02000003', // n_info, n_allele, n_sample, n_fmt
      '37727331', // ID
      '274143 1747 573c44454c3e', // alleles
      '1100', // FILTER
      '1101 122c01', // DP
      '1102 250000003f 0100807f', // AF
      '1104 00', // DB
    ].join('');
    const individual = [
      '1105 21 0205 0000', // GT
      '1101 11 05 80', // DP
      '1106 37 616200 2e0000', // FT
    ].join('');
    const [sharedHex, individualHex] = [shared.replaceAll(' ', ''), individual.replaceAll(' ', '')];
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(sharedHex.length / 2);
    lengths.writeUInt32LE(individualHex.length / 2, 4);
    expect(recordBytes(HEADER, line)).toBe(lengths.toString('hex') + sharedHex + individualHex);
  });

  test.each([
    ['VCFv4.3', '0|1', '0205'],
    ['VCFv4.4', '0|1', '0305'],
    ['VCFv4.4', '0/1', '0204'],
    ['VCFv4.4', '/0|1', '0205'],
    ['VCFv4.4', '|0/1', '0304'],
    ['VCFv4.4', '0/1|2', '020407'],
    ['VCFv4.4', '1', '05'],
    ['VCFv4.4', '/1', '04'],
    ['VCFv4.4', '.', '00'],
    ['VCFv4.4', '|.', '01'],
    ['VCFv4.4', '.|.', '0101'],
    ['VCFv4.4', './.', '0000'],
  ])('%s: stores the genotype %s as %s, and writes it again', (version, genotype, hex) => {
    const header = `${META.replace('VCFv4.3', version)}${SITES}\tFORMAT\ts1\n`;
    const line = `chr1\t10\t.\tA\tC,G\t.\t.\t.\tGT\t${genotype}`;
    expect(recordBytes(header, line).slice(-hex.length)).toBe(hex);
    expect(
      toVcf(toBcf(`${header}${line}\n`))
        .trimEnd()
        .endsWith(`\t${genotype}`),
    ).toBe(true);
  });

  test('sets rlen by END or REF, whichever is later', () => {
    const rlen = (info: string): number => {
      const hex = recordBytes(`${META}${SITES}\n`, `chr1\t10\t.\tACG\tT\t.\t.\t${info}`);
      return Buffer.from(hex, 'hex').readInt32LE(16);
    };
    expect(['.', 'END=20', 'END=10', 'END=9', 'END=.'].map(rlen)).toEqual([3, 11, 3, 3, 3]);
  });

  test('sets rlen by SVLEN in VCF 4.4', () => {
    const meta = `${META.replace('VCFv4.3', 'VCFv4.4')}##INFO=<ID=SVLEN,Number=A,Type=Integer,Description="Length">\n`;
    const rlen = (alt: string): number => {
      const hex = recordBytes(`${meta}${SITES}\n`, `chr1\t10\t.\tA\t${alt}\t.\t.\tSVLEN=30`);
      return Buffer.from(hex, 'hex').readInt32LE(16);
    };
    expect(['<DEL>', '<INS>'].map(rlen)).toEqual([31, 1]);
  });

  test.each([
    ['a contig', 'chr9\t1\t.\tA\t.\t.\t.\t.\t.\t.\t.', 'contig'],
    ['a filter', 'chr1\t1\t.\tA\t.\t.\tq10\t.\t.\t.\t.', 'filter'],
    ['a key of INFO', 'chr1\t1\t.\tA\t.\t.\t.\tXX=1\t.\t.\t.', 'key of INFO'],
    ['a key of FORMAT that only INFO declares', 'chr1\t1\t.\tA\t.\t.\t.\t.\tAF\t1\t1', 'key of FORMAT'],
  ])('refuses %s that the header does not declare', (_, line, message) => {
    expect(() => toBcf(`${HEADER}${line}\n`)).toThrow(`header does not declare a ${message}`);
    expect(() => toBcf(`${HEADER}${line}\n`)).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
  });

  test.each([
    ['fewer than eight columns', 'chr1\t1\t.\tA\t.\t.\t.'],
    ['no columns of samples', 'chr1\t1\t.\tA\t.\t.\t.\t.'],
    ['a FORMAT without samples', 'chr1\t1\t.\tA\t.\t.\t.\t.\tGT'],
    ['fewer samples than the header', 'chr1\t1\t.\tA\t.\t.\t.\t.\tGT\t0/0'],
    ['more values than FORMAT has keys', 'chr1\t1\t.\tA\t.\t.\t.\t.\tGT\t0/0\t0/0:5'],
    ['a POS that is not an integer', 'chr1\tx\t.\tA\t.\t.\t.\t.\t.\t.\t.'],
    ['a POS over 2^31 - 1', 'chr1\t2147483648\t.\tA\t.\t.\t.\t.\t.\t.\t.'],
    ['an allele that is not a number', 'chr1\t1\t.\tA\t.\t.\t.\t.\tGT\t0/x\t0/0'],
    ['an empty FORMAT', 'chr1\t1\t.\tA\t.\t.\t.\t.\t\t.\t.'],
    ['an empty genotype', 'chr1\t1\t.\tA\t.\t.\t.\t.\tGT:DP\t:1\t0/0:1'],
    ['text after a number of a sample', 'chr1\t1\t.\tA\t.\t.\t.\t.\tDP\t1x\t2'],
    ['an entry of INFO without a key', 'chr1\t1\t.\tA\t.\t.\t.\t=5\t.\t.\t.'],
  ])('refuses a line with %s', (_, line) => {
    expect(() => toBcf(`${HEADER}${line}\n`)).toThrow(FormatError);
  });

  test('refuses samples whose values would take over 256 MiB', () => {
    const samples = Array.from({ length: 3000 }, (_, i) => `s${i}`);
    const header = `${META}${SITES}\tFORMAT\t${samples.join('\t')}\n`;
    const values = samples.map((_, i) => (i === 0 ? '1,'.repeat(30_000) : '1')).join('\t');
    const line = `chr1\t1\t.\tA\t.\t.\t.\t.\tDP\t${values}\n`;
    expect(() => toBcf(header + line)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  test('reads lines that end with CRLF, and a last line without a line end', () => {
    const lines = ['chr1\t1\t.\tA\tC\t.\t.\tDP=5\tGT\t0/1\t1/1', 'chr1\t2\t.\tA\tC\t.\t.\tDB\tFT\ta\tb'];
    const expected = toBcf(`${HEADER}${lines.join('\n')}\n`);
    expect(toBcf(HEADER + lines.join('\n'))).toEqual(expected);
    expect(toBcf(`${HEADER}${lines.join('\r\n')}\r\n`)).toEqual(expected);
  });
});

describe('createBcfToVcf', () => {
  test.each([
    ['missing values', ['chr1', '0', '.', 'A', '.', '.', '.', '.', '.', '.', '.']],
    [
      'values of all types',
      ['chr1', '10', 'a;b', 'A', 'C,G', '1.5', 'PASS', 'DP=.;AF=0.1,.,1e-10;END=99;DB', 'GT:DP:FT', '0/1:.:x', '.:7:.'],
    ],
    ['samples without GT', ['chr1', '10', '.', 'A', 'C', '100', '.', 'DP=-40000', 'DP', '1', '300']],
    ['a genotype of more alleles than others', ['chr1', '10', '.', 'A', 'C', '0', '.', '.', 'GT', '0/1/1', '1']],
  ])('restores a line with %s', (_, columns) => {
    expect(roundTrip(...columns)).toEqual(columns);
  });

  test.each([
    ['numbers that do not fit', 7, 'DP=3000000000', 'DP=.'],
    ['an entry without a value', 7, 'AF=', 'AF=.'],
    ['empty entries', 7, ';DP=1;;DB;', 'DP=1;DB'],
    ['text after a number', 7, 'DP=12x', 'DP=12'],
    ['digits after the sixth', 5, '1.23456789', '1.23457'],
    ['a QUAL that is not a number', 5, 'x', '0'],
  ])('writes %s as bcftools does', (_, index, text, expected) => {
    const columns = ['chr1', '10', '.', 'A', 'C', '.', '.', '.', '.', '.', '.'].with(index, text);
    expect(roundTrip(...columns)[index]).toBe(expected);
  });

  test('fills in values that a sample lacks at its end', () => {
    const columns = ['chr1', '10', '.', 'A', 'C', '.', '.', '.', 'GT:DP:FT', '0/1', '0/0:5'];
    expect(roundTrip(...columns).slice(9)).toEqual(['0/1:.:.', '0/0:5:.']);
  });

  test('reads an empty number before a TAB as missing, not as the number of the next sample', () => {
    const header = `${META}##FORMAT=<ID=GL,Number=G,Type=Float,Description="x">\n${SITES}\tFORMAT\ts1\ts2\n`;
    const text = toVcf(toBcf(`${header}chr1\t10\t.\tA\tC\t.\t.\t.\tGT:GL\t0/1:-1,\t0/0:-2.5\n`));
    expect(text.trimEnd().split('\t').slice(-2)).toEqual(['0/1:-1,.', '0/0:-2.5']);
  });

  test.each([
    ['contig', '##contig=<ID="a,b">', 'a,b\t10\t.\tA\tC\t.\t.\t.'],
    ['filter', '##FILTER=<ID="a,b",Description="x">', 'chr1\t10\t.\tA\tC\t.\ta,b\t.'],
    ['key of INFO', '##INFO=<ID="a,b",Number=0,Type=Flag,Description="x">', 'chr1\t10\t.\tA\tC\t.\t.\ta,b'],
  ])('does not convert a record with a %s whose name needs quotes', (_, line, record) => {
    expect(() => toBcf(`${META}${line}\n${SITES}\n${record}\n`)).toThrow(
      'the name "a,b" cannot be written without quotes',
    );
    expect(toVcf(toBcf(`${META}${line}\n${SITES}\n`))).toContain(`${line}\n`);
  });

  test('takes the first END, as the filters of lines do', () => {
    const line = (info: string): string => recordBytes(`${META}${SITES}\n`, `chr1\t10\t.\tA\tC\t.\t.\t${info}`);
    const rlen = (info: string): number => Buffer.from(line(info), 'hex').readInt32LE(16);
    expect([rlen('END=20;END=30'), rlen('END=5;END=30'), rlen('END=.;END=30')]).toEqual([11, 1, 1]);
  });

  test('writes texts of samples after samples that lack them', () => {
    const columns = ['chr1', '10', '.', 'A', 'C', '.', '.', '.', 'DP:FT', '-2147483640', '5:text', '-7:.'];
    const header = `${META}${SITES}\tFORMAT\ts1\ts2\ts3\n`;
    const text = toVcf(toBcf(`${header}${columns.join('\t')}\n`));
    expect(text.trimEnd().split('\t').slice(-3)).toEqual(['-2147483640:.', '5:text', '-7:.']);
  });

  test('keeps the keys of lines whose columns FORMAT and INFO alternate', () => {
    const lines = Array.from({ length: 200 }, (_, i) => {
      const [info, format, value] = [
        ['DP=1;AF=0.5;DB', 'GT:DP', '0/1:1'],
        ['AF=0.25;END=30', 'DP:FT', '7:x'],
        ['DB;DP=300', 'GT', '1|1'],
      ][i % 3] ?? ['.', '.', '.'];
      return ['chr1', String(i + 1), '.', 'A', 'C', '.', '.', info, format, value, value].join('\t');
    });
    const text = toVcf(toBcf(`${HEADER}${lines.join('\n')}\n`));
    expect(text.trimEnd().split('\n').slice(-200)).toEqual(lines);
  });

  test('keeps genotypes of more than ten alleles, and of large samples', () => {
    const samples = Array.from({ length: 700 }, (_, i) => `s${i}`);
    const header = `${META}${SITES}\tFORMAT\t${samples.join('\t')}\n`;
    const genotypes = samples.map((_, i) =>
      i % 7 === 0 ? '10/11' : i % 5 === 0 ? '.|1' : `${i % 10}|${(i >> 3) % 10}`,
    );
    const columns = ['chr1', '10', '.', 'A', 'C,G', '.', '.', '.', 'GT', ...genotypes];
    const text = toVcf(toBcf(`${header}${columns.join('\t')}\n`));
    expect(text.trimEnd().split('\t').slice(-700)).toEqual(genotypes);
  });

  test('refuses records whose numbers the header does not declare', () => {
    const bcf = toBcf(`${HEADER}chr1\t10\t.\tA\tC\t.\tPASS\tDP=5\t.\t.\t.\n`);
    const { byteLength } = parseBcfHeader(bcf);
    for (const [offset, value] of [
      [8, 7], // CHROM
      [38, 99], // FILTER
      [40, 99], // INFO
    ] as const) {
      const damaged = new Uint8Array(bcf);
      damaged[byteLength + offset] = value;
      expect(() => toVcf(damaged)).toThrow(`header does not declare number ${value}`);
    }
  });
});

describe('conversions of both directions', () => {
  const vcf = RANDOM_HEADER + randomVcf({ seed: 5, count: 200 });
  const bcf = toBcf(vcf);

  test('VCF → BCF → VCF is the identity of converted lines', () => {
    const text = toVcf(bcf);
    expect(toVcf(toBcf(text))).toBe(text);
  });

  test.each([[[1]], [[7, 100]], [[65_280]]])('pieces of %j bytes give what the whole gives', (lengths) => {
    expect(toBcf(vcf, lengths)).toEqual(bcf);
    expect(toVcf(bcf, lengths)).toBe(toVcf(bcf));
  });

  test('damaged lines are converted or refused with a FormatError', async () => {
    const lines = RANDOM_HEADER + randomVcf({ seed: 6, count: 3 });
    const { accepted, refused } = await checkDamage(ascii(lines), (bytes) =>
      toBcf(Buffer.from(bytes).toString('latin1')),
    );
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(volume(300));
  });

  test('damaged records are converted or refused with a FormatError', async () => {
    const records = toBcf(RANDOM_HEADER + randomVcf({ seed: 7, count: 3 }));
    const { accepted, refused } = await checkDamage(records, (bytes) => toVcf(bytes));
    expect(accepted).toBeGreaterThan(volume(100));
    expect(refused).toBeGreaterThan(volume(300));
  });
});

function checkDamage(bytes: Uint8Array, convert: (bytes: Uint8Array) => unknown): Promise<MutationOutcomes> {
  return checkMutations(bytes, {
    seed: 17,
    count: volume(3000),
    check(damaged) {
      try {
        convert(damaged);
        return true;
      } catch (fault) {
        if (fault instanceof FormatError) return false;
        throw fault;
      }
    },
  });
}
