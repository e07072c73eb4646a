import assert from 'node:assert/strict';
import { checkMutations, createRandom, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  BcfVariantRecord,
  createVcfToBcf,
  FormatError,
  type Genotype,
  parseBcfHeader,
  VariantHeader,
  VcfVariantRecord,
} from '../../../src/index.js';
import { countDosage, GenotypeRows } from '../../../src/vcf/genotypes/genotype-matrix.js';
import { passPieces } from '../../record-pieces.js';
import { callsOf, modelCalls, readColumns } from './model-genotypes.js';

const META =
  '##contig=<ID=chr1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="x">\n##FORMAT=<ID=DP,Number=1,Type=Integer,Description="x">\n##FORMAT=<ID=GTX,Number=1,Type=String,Description="x">\n';

function headerOf(sampleCount: number, version = '4.3'): string {
  const names = Array.from({ length: sampleCount }, (_, sample) => `\ts${sample}`).join('');
  return `##fileformat=VCFv${version}\n${META}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT${names}\n`;
}

function lineOf(format: string, samples: readonly string[], position = 1): string {
  return ['chr1', position, '.', 'A', 'C,G', '.', '.', '.', format, ...samples].join('\t');
}

interface Reading {
  readonly sampleColumns?: readonly number[];
  readonly maxRecords?: number;
}

/** Reads the calls of lines of VCF, by records. */
function readVcf(text: string, lines: string, reading: Reading = {}): string[][] {
  const selection = { text, format: 'VCF', fields: ['genotypes'], ...reading } as const;
  return readColumns(Buffer.from(lines), selection).flatMap(({ genotypes, length }) => callsOf(genotypes, length));
}

/** Returns the records of BCF that lines become. */
function toBcf(text: string, lines: string): { readonly text: string; readonly records: Uint8Array } {
  const converter = createVcfToBcf({ text });
  return { text: parseBcfHeader(converter.header).text, records: passPieces(converter, Buffer.from(lines)) };
}

/** Reads the calls of the same lines as BCF. */
function readBcf(vcfText: string, lines: string, reading: Reading = {}): string[][] {
  const { text, records } = toBcf(vcfText, lines);
  const selection = { text, format: 'BCF', fields: ['genotypes'], ...reading } as const;
  return readColumns(records, selection).flatMap(({ genotypes, length }) => callsOf(genotypes, length));
}

describe.each([
  ['0/0', '0,0'],
  ['0|1', '0,1!'],
  ['7/7', '7,7'],
  ['8|9', '8,9!'],
  ['1/10', '1,10'],
  ['./.', '.,.'],
  ['.|.', '.,.!'],
  ['.|1', '.,1!'],
  ['0/.', '0,.'],
  ['.', '.'],
  ['1', '1!'],
  ['0/1/2', '0,1,2'],
  ['0|1|2', '0,1,2!'],
  ['0|1/2', '0,1,2'],
  ['0/1|2', '0,1,2'],
])('the genotype %s', (gt, expected) => {
  test.each([
    ['the only value', 'GT', gt],
    ['before other values', 'GT:DP', `${gt}:3`],
    ['after other values', 'DP:GTX:GT', `3:0/1:${gt}`],
  ])('is read as %s', (_, format, sample) => {
    const line = lineOf(format, [sample, sample, sample]);
    const calls = [[expected, expected, expected]];
    expect(readVcf(headerOf(3), line)).toEqual(calls);
    expect(readVcf(headerOf(3), `${line}\r\n`)).toEqual(calls);
    expect(readBcf(headerOf(3), `${line}\n`)).toEqual(calls);
  });
});

test.each([
  ['|0/1', '0,1'],
  ['/0|1', '0,1'],
  ['|0|1', '0,1!'],
  ['/1', '1'],
  ['|.', '.!'],
])('reads the phases of the VCF 4.4 genotype %s', (gt, expected) => {
  const header = headerOf(1, '4.4');
  expect(readVcf(header, lineOf('GT', [gt]))).toEqual([[expected]]);
  expect(readBcf(header, `${lineOf('GT', [gt])}\n`)).toEqual([[expected]]);
});

test.each(['', '/', '|', '//', '0/', '/0', 'x', '0/x', '1.5', '+1', '-1/0', 'é/1', '00/01', '0 /1'])(
  'reads %j as the genotype of a record has it',
  (gt) => {
    const line = lineOf('GT', [gt, '0/1']);
    const record = new VcfVariantRecord(new VariantHeader({ text: headerOf(2) })).at(Buffer.from(line), 0);
    const expected = toText(record.genotype(0));
    expect(readVcf(headerOf(2), line)).toEqual([[expected, '0,1']]);
    expect(modelCalls(line, [0, 1])).toEqual([expected, '0,1']);
  },
);

test.each([
  ['no column FORMAT', 'chr1\t1\t.\tA\tC\t.\t.\t.'],
  ['a missing FORMAT', lineOf('.', ['.', '.'])],
  ['other keys', lineOf('DP:GTX', ['1:0/1', '2:0/1'])],
])('a line with %s has no alleles', (_, line) => {
  expect(readVcf(headerOf(2), line)).toEqual([['none', 'none']]);
});

test('a sample that ends before GT has an unknown allele', () => {
  expect(readVcf(headerOf(3), lineOf('DP:GT', ['1', '1:0/1', '.']))).toEqual([['.', '0,1', '.']]);
});

test('a line that lacks a sample is refused if the sample is read', () => {
  const line = lineOf('GT', ['0/1', '1/1']);
  expect(() => readVcf(headerOf(3), line)).toThrow(
    expect.objectContaining({ name: 'FormatError', code: 'INVALID_DATA' }),
  );
  expect(readVcf(headerOf(3), line, { sampleColumns: [1, 0] })).toEqual([['1,1', '0,1']]);
});

test('a record of BCF that lacks a sample or has a text as GT is refused', () => {
  const invalid: unknown = expect.objectContaining({ name: 'FormatError', code: 'INVALID_DATA' });
  const { records } = toBcf(headerOf(2), `${lineOf('GT', ['0/1', '1/1'])}\n`);
  const selection = { format: 'BCF', fields: ['genotypes'] } as const;
  expect(() => readColumns(records, { ...selection, text: headerOf(3) })).toThrow(invalid);
  const asText = toBcf(headerOf(2), `${lineOf('GTX', ['ab', 'c'])}\n`);
  const renamed = asText.text.replace('ID=GT,', 'ID=YY,').replace('ID=GTX,', 'ID=GT,');
  expect(() => readColumns(asText.records, { ...selection, text: renamed })).toThrow(invalid);
});

test('numbers over 127 take 16 bits, and those over 32,767 are refused', () => {
  const read = (gt: string) =>
    readColumns(Buffer.from(lineOf('GT', ['0/1', gt])), { text: headerOf(2), format: 'VCF', fields: ['genotypes'] });
  expect(read('0/127')[0]?.genotypes.alleles).toEqual(Int8Array.of(0, 1, 0, 127));
  expect(read('128/0')[0]?.genotypes.alleles).toEqual(Int16Array.of(0, 1, 128, 0));
  expect(read('0/32767')[0]?.genotypes.alleles).toEqual(Int16Array.of(0, 1, 0, 32_767));
  expect(() => read('0/32768')).toThrow(expect.objectContaining({ name: 'FormatError', code: 'LIMIT_EXCEEDED' }));
  expect(readBcf(headerOf(2), `${lineOf('GT', ['0/1', '200|3000'])}\n`)).toEqual([['0,1', '200,3000!']]);
});

test('more than 1,024 alleles of a sample are refused', () => {
  const read = (ploidy: number) => readVcf(headerOf(1), lineOf('GT', [Array(ploidy).fill('1').join('|')]));
  expect(read(1024)).toEqual([[`${Array(1024).fill('1').join(',')}!`]]);
  expect(() => read(1025)).toThrow(expect.objectContaining({ name: 'FormatError', code: 'LIMIT_EXCEEDED' }));
});

test('the ploidy of a batch is that of its longest call, at least 2', () => {
  const lines = ['0', '0/1/2/3/4/5/6/7/8', '1|1', '0/1/0'].map((gt) => `${lineOf('GT', [gt, '1'])}\n`);
  const read = (maxRecords: number) =>
    readColumns(Buffer.from(lines.join('')), { text: headerOf(2), format: 'VCF', fields: ['genotypes'], maxRecords });
  expect(read(1).map(({ genotypes }) => genotypes.ploidy)).toEqual([2, 9, 2, 3]);
  expect(read(4).map(({ genotypes }) => genotypes.ploidy)).toEqual([9]);
  const expected = [
    ['0!', '1!'],
    ['0,1,2,3,4,5,6,7,8', '1!'],
    ['1,1!', '1!'],
    ['0,1,0', '1!'],
  ];
  for (const maxRecords of [1, 2, 3, 4, 5])
    expect(read(maxRecords).flatMap(({ genotypes, length }) => callsOf(genotypes, length))).toEqual(expected);
});

test('a batch that has no room for a long call is taken before it', () => {
  const rows = new GenotypeRows(1, 2 ** 20);
  const add = (alleles: readonly number[]): boolean => {
    const isAdded = rows.put(rows.begin(), { count: alleles.length, alleles: [...alleles], isPhased: true });
    if (isAdded) rows.end();
    return isAdded;
  };
  for (let i = 0; i < 2 ** 18; i++) add([0, 1]);
  const long = Array.from({ length: 1000 }, () => 1);
  expect(add(long)).toBe(false);
  expect(rows.take()).toMatchObject({ ploidy: 2, sampleCount: 1, alleles: { length: 2 ** 19 } });
  expect(add(long)).toBe(true);
  expect(rows.take().alleles).toEqual(Int8Array.from(long));
});

test('dosages count the alleles other than REF of calls without unknown ones', () => {
  const gts = ['0/0', '0/1', '1|2', '0/.', '.', '1', '0', '1/1/2', '.|1'];
  const lines = `${lineOf('GT', gts)}\n${lineOf(
    'DP',
    gts.map(() => '1'),
  )}\n`;
  const selection = { text: headerOf(gts.length), format: 'VCF', fields: ['dosage'] } as const;
  const [batch] = readColumns(Buffer.from(lines), selection);
  expect(batch).toEqual({ length: 2, dosage: Int8Array.of(0, 1, 2, -1, -1, 1, 0, 3, -1, ...gts.map(() => -1)) });
  const alleles = Int8Array.from({ length: 200 }, () => 1);
  const pool = { alleles, ploidy: 200, sampleCount: 1, phased: new Uint8Array(1) };
  expect(countDosage(pool)).toEqual(Int16Array.of(200));
});

describe('random lines', () => {
  const sampleCount = 9;
  const text = headerOf(sampleCount, '4.4');
  const lines = randomLines({ seed: 5, count: volume(3000), sampleCount });
  const all = Array.from({ length: sampleCount }, (_, column) => column);

  test.each([
    ['all samples', undefined, undefined],
    ['batches of 7 records', undefined, 7],
    ['samples in another order', [8, 0, 3], undefined],
    ['one sample', [5], 100],
    ['no samples', [], 50],
  ])('have the calls of the model: %s', (_, sampleColumns, maxRecords) => {
    const expected = lines.map((line) => modelCalls(line, sampleColumns ?? all));
    const reading = { ...(sampleColumns && { sampleColumns }), ...(maxRecords !== undefined && { maxRecords }) };
    expect(readVcf(text, lines.join(''), reading)).toEqual(expected);
    expect(readBcf(text, lines.join(''), reading)).toEqual(expected);
  });

  test('have the values of the model in any order of the samples', () => {
    const header = new VariantHeader({ text });
    const [bytes, random] = [Buffer.from(lines.join('')), createRandom(6)];
    const view = new VcfVariantRecord(header);
    let at = 0;
    for (const line of lines) {
      view.at(bytes, at);
      at = view.byteEnd;
      const [calls, fields] = [modelCalls(line, all), line.trimEnd().split('\t')];
      const keys = fields[8] === '.' ? [] : (fields[8]?.split(':') ?? []);
      expect(view.formatKeys).toEqual(keys);
      for (const sample of [...all].sort(() => random() - 0.5)) {
        const found = view.sample(`s${sample}`);
        assert(found !== undefined);
        expect(toText(found.genotype)).toBe(calls[sample]);
        const values = fields[9 + sample]?.split(':') ?? [];
        const texts = keys.map((key, index) => [key, values[index] ?? '.']);
        const expected = texts.map(([key, value]) => [
          key,
          value === '.' ? null : key === 'DP' ? Number(value) : value,
        ]);
        expect(keys.map((key) => [key, found.value(key)])).toEqual(expected);
        expect(found.value('XX')).toBeUndefined();
      }
    }
    expect(at).toBe(bytes.length);
  });

  test('fill batches whose arrays have memory of their own', () => {
    const fields = ['start', 'end', 'referenceId', 'genotypes', 'dosage'] as const;
    const batches = readColumns(Buffer.from(lines.join('')), { text, format: 'VCF', fields, maxRecords: 64 });
    for (const { genotypes, length, ...columns } of batches) {
      const arrays = [
        columns.start,
        columns.end,
        columns.referenceId,
        columns.dosage,
        genotypes.alleles,
        genotypes.phased,
      ];
      for (const array of arrays) expect(array.buffer.byteLength).toBe(array.byteLength);
      const sizes = [genotypes.alleles.length, genotypes.phased.length, columns.dosage.length];
      const calls = length * sampleCount;
      expect(sizes).toEqual([calls * genotypes.ploidy, Math.ceil(calls / 8), calls]);
    }
    expect(batches.length).toBe(Math.ceil(lines.length / 64));
  });
});

/** Returns lines whose samples have genotypes of all forms, in any position of FORMAT. */
function randomLines({
  seed,
  count,
  sampleCount,
}: {
  readonly seed: number;
  readonly count: number;
  readonly sampleCount: number;
}): string[] {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const allele = (): string => (random() < 0.15 ? '.' : String(random() < 0.03 ? below(300) : below(12)));
  const separator = (): string => (random() < 0.5 ? '/' : '|');
  const diploid = (): string => `${below(3)}${separator()}${below(3)}`;
  const any = (): string => {
    const parts = Array.from({ length: 1 + below(random() < 0.05 ? 20 : 3) }, allele);
    return (random() < 0.1 ? separator() : '') + parts.reduce((gt, part) => gt + separator() + part);
  };
  const formats = ['GT', 'GT:DP', 'DP:GT', 'DP:GTX:GT', 'DP', 'GTX:DP', '.', 'GT:GTX:DP'];
  return Array.from({ length: count }, (_, index) => {
    const keys = (formats[below(formats.length)] ?? '.').split(':');
    const genotype = random() < 0.7 ? diploid : any;
    const samples = Array.from({ length: sampleCount }, () => {
      const values = keys.map((key) => (key === 'GT' ? genotype() : key === 'DP' ? String(below(1000)) : '.'));
      return values.slice(0, random() < 0.2 ? 1 + below(values.length) : values.length).join(':');
    });
    return `${lineOf(keys.join(':'), samples, 1 + index)}\n`;
  });
}

describe.each(['VCF', 'BCF'] as const)('a damaged record of %s', (format) => {
  test('has the genotypes of its view, or is refused', async () => {
    const samples = ['0/1:3', '1|2:.', './.', '0:5', '1/1/2', '10|.:4'];
    const lines = `${lineOf('GT:DP', samples)}\n`;
    const bcf = toBcf(headerOf(6), lines);
    const [text, bytes] = format === 'VCF' ? [headerOf(6), Buffer.from(lines)] : [bcf.text, bcf.records];
    const header = new VariantHeader({ text });
    const outcomes = await checkMutations(bytes, {
      seed: 31,
      count: volume(3000),
      check(damaged) {
        const record = format === 'VCF' ? new VcfVariantRecord(header) : new BcfVariantRecord(header);
        const expected = attempt(() => record.at(damaged, 0).genotypes.map(toText));
        const first = damaged.subarray(0, expected === undefined ? damaged.length : record.byteEnd);
        const found = attempt(() =>
          readColumns(first, { text, format, fields: ['genotypes'] }).flatMap(({ genotypes, length }) =>
            callsOf(genotypes, length),
          ),
        );
        expect(found?.[0]).toEqual(found && expected);
        return found !== undefined;
      },
    });
    expect(outcomes.accepted).toBeGreaterThan(volume(200));
    expect(outcomes.refused).toBeGreaterThan(volume(100));
  });
});

/** Returns a genotype as the model has it. */
function toText(genotype: Genotype | undefined): string {
  if (genotype === undefined) return 'none';
  return genotype.alleles.map((allele) => allele ?? '.').join(',') + (genotype.isPhased ? '!' : '');
}

/** Returns undefined if `read` throws a FormatError. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
