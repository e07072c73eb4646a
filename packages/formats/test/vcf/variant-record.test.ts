import { inspect } from 'node:util';
import { checkMutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  BcfVariantRecord,
  createBcfToVcf,
  createVcfToBcf,
  FormatError,
  parseBcfHeader,
  parseVcfHeader,
  VariantHeader,
  type VariantRecord,
  VcfVariantRecord,
} from '../../src/index.js';
import { parseBcfRecordSpan, parseVcfRecordSpan } from '../../src/internal.js';
import { RANDOM_HEADER, randomVcf } from '../convert/variants/random-vcf.js';
import { passPieces } from '../record-pieces.js';

function toBcf(vcf: Uint8Array): Uint8Array {
  const { text, byteLength } = parseVcfHeader(vcf);
  const converter = createVcfToBcf({ text });
  return Buffer.concat([converter.header, passPieces(converter, vcf.subarray(byteLength))]);
}

function toVcf(bcf: Uint8Array): Uint8Array {
  const header = parseBcfHeader(bcf);
  const converter = createBcfToVcf(header);
  return Buffer.concat([converter.header, passPieces(converter, bcf.subarray(header.byteLength))]);
}

/** Returns views of the same record: of a VCF line and of the BCF record that it becomes. */
function viewsOf(header: string, ...columns: readonly string[]): readonly (readonly [string, VariantRecord])[] {
  const vcf = Buffer.from(`${header}${columns.join('\t')}\n`);
  const bcf = toBcf(vcf);
  const line = new VcfVariantRecord(new VariantHeader(parseVcfHeader(vcf)));
  const record = new BcfVariantRecord(new VariantHeader(parseBcfHeader(bcf)));
  return [
    ['VCF', line.at(vcf, parseVcfHeader(vcf).byteLength)],
    ['BCF', record.at(bcf, parseBcfHeader(bcf).byteLength)],
  ];
}

/** Everything that a record offers. Floats are rounded to 32 bits, as BCF stores them. */
function readAll(record: VariantRecord): unknown {
  const { header, referenceName, start, id, ref, alt, quality, filters, infoKeys, formatKeys, genotypes } = record;
  const info = infoKeys.map((key) => record.info(key));
  const values = header.samples.flatMap((name) => formatKeys.map((key) => record.sample(name)?.value(key)));
  const site = {
    referenceName,
    start,
    end: record.end,
    id,
    ref,
    alt,
    quality,
    filters,
    infoKeys,
    formatKeys,
    genotypes,
  };
  return JSON.parse(JSON.stringify({ ...site, info, values, line: record.toVcf() }), (_, value: unknown) =>
    typeof value === 'number' ? Math.fround(value) : value,
  );
}

const LINE = ['chr1', '10', 'rs1;rs2', 'AC', 'G,<DEL>', '30.5', 'q10;s50'];
const INFO = 'DP=7;AF=0.5,.;VI=1;DB;CH=x;ST=a,b;END=40';
const SAMPLES = ['GT:DP:AD:GL:FT', '0|1:.:1,.:-0.5,2:PASS', './1:5:3', '2:9:.:.:.'];

test('a record without ID, QUAL and FILTER has null for them in JSON', () => {
  for (const [, record] of viewsOf(RANDOM_HEADER, 'chr1', '10', '.', 'AC', '.', '.', '.', '.', 'GT', '.', '.', '.')) {
    expect(record.toJSON()).toMatchObject({ id: null, alt: [], quality: null, filters: null, info: {} });
  }
});

test('a record that is malformed or was not moved to a line is printed with its error', () => {
  const vcf = Buffer.from(`${RANDOM_HEADER}chr1\tx\t.\tA\t.\t.\t.\t.\n`);
  const header = parseVcfHeader(vcf);
  const view = new VcfVariantRecord(new VariantHeader(header));
  expect(inspect(view.at(vcf, header.byteLength))).toMatch(/^VariantRecord <POS is not an integer.*>$/);
  expect(inspect(new BcfVariantRecord(new VariantHeader(header)))).toMatch(/^VariantRecord <.+>$/);
});

describe.each(viewsOf(RANDOM_HEADER, ...LINE, INFO, ...SAMPLES))('a record of %s', (_, record) => {
  test('has the columns of the site', () => {
    const { referenceName, start, end, id, ref, alt, quality, filters } = record;
    expect({ referenceName, start, end, id, ref, alt, quality, filters }).toEqual({
      referenceName: 'chr1',
      start: 9,
      end: 40,
      id: 'rs1;rs2',
      ref: 'AC',
      alt: ['G', '<DEL>'],
      quality: 30.5,
      filters: ['q10', 's50'],
    });
  });

  test('shows its columns in JSON and when it is printed, without the header', () => {
    const fields = JSON.parse(JSON.stringify(record)) as { samples: { name: string; values: unknown }[] };
    expect(fields).toEqual({
      ...{ referenceName: 'chr1', start: 9, end: 40, id: 'rs1;rs2', ref: 'AC', alt: ['G', '<DEL>'] },
      ...{ quality: 30.5, filters: ['q10', 's50'] },
      info: { DP: 7, AF: [0.5, null], VI: [1], DB: true, CH: 'x', ST: ['a', 'b'], END: 40 },
      samples: record.header.samples.map((name, sample) => ({
        name,
        values: Object.fromEntries(record.formatKeys.map((key) => [key, record.formatValue(sample, key)])),
      })),
    });
    expect(fields.samples[0]?.values).toMatchObject({ GT: '0|1', DP: null });
    expect(inspect(record)).toBe(`VariantRecord ${inspect(fields, { depth: Infinity })}`);
  });

  test('has values of INFO that are typed by the header', () => {
    const values = Object.fromEntries(record.infoKeys.map((key) => [key, record.info(key)]));
    expect(values).toEqual({ DP: 7, AF: [0.5, null], VI: [1], DB: true, CH: 'x', ST: ['a', 'b'], END: 40 });
    expect(record.info('D')).toBeUndefined();
    expect(record.info('XX')).toBeUndefined();
  });

  test('has values of the samples that are typed by the header', () => {
    expect(record.formatKeys).toEqual(['GT', 'DP', 'AD', 'GL', 'FT']);
    expect(record.sample('s1')?.value('DP')).toBeNull();
    expect(record.sample('s1')?.value('AD')).toEqual([1, null]);
    expect(record.sample('s1')?.value('GL')).toEqual([-0.5, 2]);
    expect(record.sample('s1')?.value('FT')).toBe('PASS');
    expect(record.sample('s 2')?.value('DP')).toBe(5);
    expect(record.sample('s 2')?.value('FT')).toBeNull();
    expect(record.sample('s3')?.value('XX')).toBeUndefined();
    expect(record.sample('s4')).toBeUndefined();
  });

  test('has genotypes', () => {
    const expected = [
      { alleles: [0, 1], phases: [true, true], isPhased: true },
      { alleles: [null, 1], phases: [false, false], isPhased: false },
      { alleles: [2], phases: [true], isPhased: true },
    ];
    expect(record.genotypes).toEqual(expected);
    expect(record.sample('s 2')?.genotype).toEqual(expected[1]);
  });
});

test('records are written as lines; those of BCF have the values that samples lack', () => {
  const lines = viewsOf(RANDOM_HEADER, ...LINE, INFO, ...SAMPLES).map(([, record]) => record.toVcf());
  const filled = [...SAMPLES.slice(0, 2), './1:5:3:.:.', ...SAMPLES.slice(3)];
  expect(lines).toEqual([[...LINE, INFO, ...SAMPLES].join('\t'), [...LINE, INFO, ...filled].join('\t')]);
});

describe.each(viewsOf(RANDOM_HEADER, 'chr2', '0', '.', 'A', '.', '.', '.', '.', '.', '.', '.', '.'))(
  'a record of %s without values',
  (_, record) => {
    test('has missing values', () => {
      const { start, id, alt, quality, filters, infoKeys, formatKeys, genotypes } = record;
      expect({ start, id, alt, quality, filters, infoKeys, formatKeys, genotypes }).toEqual({
        start: -1,
        id: undefined,
        alt: [],
        quality: undefined,
        filters: undefined,
        infoKeys: [],
        formatKeys: [],
        genotypes: [undefined, undefined, undefined],
      });
    });
  },
);

test.each([
  ['|0/1', [0, 1], [true, false]],
  ['/0|1', [0, 1], [false, true]],
  ['0|1', [0, 1], [true, true]],
  ['0/1|2', [0, 1, 2], [false, false, true]],
  ['/1', [1], [false]],
  ['.', [null], [false]],
])('reads the phases of the VCF 4.4 genotype %s', (text, alleles, phases) => {
  const columns = ['chr1', '1', '.', 'A', 'C,G', '.', '.', '.', 'GT', text, '.', '.'];
  for (const [, record] of viewsOf(RANDOM_HEADER.replace('VCFv4.3', 'VCFv4.4'), ...columns)) {
    expect(record.sample('s1')?.genotype).toMatchObject({ alleles, phases });
  }
});

test('ends follow the lengths of symbolic alleles in any version', () => {
  const declared = '##INFO=<ID=SVLEN,Number=A,Type=Integer,Description="Length">\n##ALT=<ID=DEL';
  const columns = ['chr1', '10', '.', 'A', '<DEL>', '.', '.', 'SVLEN=30;END=20', '.', '.', '.', '.'];
  const endsOf = (version: string): number[] => {
    const header = RANDOM_HEADER.replace('VCFv4.3', version).replace('##ALT=<ID=DEL', declared);
    return viewsOf(header, ...columns).map(([, record]) => record.end);
  };
  expect(endsOf('VCFv4.3')).toEqual([40, 40]);
  expect(endsOf('VCFv4.4')).toEqual([40, 40]);
});

test('lines and BCF records offer the same', () => {
  // BCF does not keep an empty value, more digits than a float has, and END after a telomere.
  const lines = randomVcf({ seed: 11, count: 300 })
    .split('\n')
    .filter((line) => !/\t0\t|END=|CH=[;\t]/.test(line));
  const vcf = toVcf(toBcf(Buffer.from(RANDOM_HEADER + lines.join('\n'))));
  const bcf = toBcf(vcf);
  const line = new VcfVariantRecord(new VariantHeader(parseVcfHeader(vcf)));
  const record = new BcfVariantRecord(new VariantHeader(parseBcfHeader(bcf)));
  let [lineAt, at] = [parseVcfHeader(vcf).byteLength, parseBcfHeader(bcf).byteLength];
  let count = 0;
  for (; at < bcf.length; count++) {
    expect(readAll(line.at(vcf, lineAt))).toEqual(readAll(record.at(bcf, at)));
    expect(line.end).toBe(parseVcfRecordSpan(vcf.subarray(lineAt, line.byteEnd - 1)).baseEnd);
    expect(record.end).toBe(parseBcfRecordSpan(bcf, at).baseEnd);
    [at, lineAt] = [record.byteEnd, line.byteEnd];
  }
  expect(count).toBeGreaterThan(50);
});

test('refuses lines of fewer than eight columns, and incomplete records', () => {
  const header = new VariantHeader({ text: RANDOM_HEADER });
  expect(() => new VcfVariantRecord(header).at(Buffer.from('chr1\t1\t.\tA\n'), 0)).toThrow(FormatError);
  const bcf = toBcf(Buffer.from(`${RANDOM_HEADER}${LINE.join('\t')}\t.\t.\t.\t.\t.\n`));
  const { byteLength } = parseBcfHeader(bcf);
  for (const length of [4, 20, bcf.length - byteLength - 1]) {
    const view = new BcfVariantRecord(header);
    expect(() => view.at(bcf.subarray(0, byteLength + length), byteLength)).toThrow(
      expect.objectContaining({ code: 'TRUNCATED', offset: byteLength }),
    );
  }
});

test('damaged records are read or refused with a FormatError', async () => {
  const vcf = Buffer.from(`${RANDOM_HEADER}${[...LINE, INFO, ...SAMPLES].join('\t')}\n`);
  const bcf = toBcf(vcf);
  const header = new VariantHeader(parseBcfHeader(bcf));
  const start = parseVcfHeader(vcf).byteLength;
  const lines = await outcomesOf(vcf.subarray(start), () => new VcfVariantRecord(header));
  const records = await outcomesOf(bcf.subarray(parseBcfHeader(bcf).byteLength), () => new BcfVariantRecord(header));
  expect(lines.accepted).toBeGreaterThan(volume(500));
  expect(lines.refused).toBeGreaterThan(volume(50));
  expect(records.accepted).toBeGreaterThan(volume(100));
  expect(records.refused).toBeGreaterThan(volume(500));
});

function outcomesOf(bytes: Uint8Array, createView: () => VcfVariantRecord | BcfVariantRecord) {
  return checkMutations(bytes, {
    seed: 23,
    count: volume(3000),
    check(damaged) {
      try {
        readAll(createView().at(damaged, 0));
        return true;
      } catch (fault) {
        if (fault instanceof FormatError) return false;
        throw fault;
      }
    },
  });
}
