import { describe, expect, test } from 'vitest';
import {
  BcfVariantRecord,
  createBcfToVcf,
  parseBcfHeader,
  VariantHeader,
  type VariantRecord,
} from '../../src/index.js';
import { passPieces } from '../record-pieces.js';
import { buildBcfHeader, buildBcfRecord } from './build-bcf.js';

const TEXT = `##fileformat=VCFv4.3
##contig=<ID=chr1>
##INFO=<ID=I,Number=.,Type=Integer,Description="x">
##INFO=<ID=F,Number=.,Type=Float,Description="x">
##INFO=<ID=S,Number=.,Type=String,Description="x">
##FORMAT=<ID=I,Number=.,Type=Integer,Description="x">
##FORMAT=<ID=F,Number=.,Type=Float,Description="x">
##FORMAT=<ID=S,Number=.,Type=String,Description="x">
##FORMAT=<ID=GT,Number=1,Type=String,Description="x">
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts
`;
const HEADER = buildBcfHeader(TEXT);
const KEYS = { I: 1, F: 2, S: 3, GT: 4 } as const;
/** ID, REF and FILTER. */
const SITE = [0x17, 0x2e, 0x17, 0x41, 0x00];

function recordOf(parts: Parameters<typeof buildBcfRecord>[0]): { columns: string[]; view: VariantRecord } {
  const record = buildBcfRecord({ values: Uint8Array.from(SITE), sampleCount: 1, ...parts });
  const header = parseBcfHeader(HEADER);
  const text = Buffer.from(passPieces(createBcfToVcf(header), record)).toString();
  return { columns: text.trimEnd().split('\t'), view: new BcfVariantRecord(new VariantHeader(header)).at(record, 0) };
}

function keyed(key: keyof typeof KEYS, ...value: readonly number[]): Uint8Array {
  return Uint8Array.of(0x11, KEYS[key], ...value);
}

/** Values whose first element is the end of the vector, or missing. */
const MISSING = [
  ['I', '8-bit integers that end at once', [0x21, 0x81, 0x81]],
  ['I', 'an 8-bit integer that is the end', [0x11, 0x81]],
  ['I', '16-bit integers that end at once', [0x22, 0x01, 0x80, 0x01, 0x80]],
  ['I', 'a 32-bit integer that is the end', [0x13, 0x01, 0x00, 0x00, 0x80]],
  ['I', 'a missing integer', [0x11, 0x80]],
  ['F', 'a float that is the end', [0x15, 0x02, 0x00, 0x80, 0x7f]],
  ['F', 'floats that end at once', [0x25, 0x02, 0x00, 0x80, 0x7f, 0x02, 0x00, 0x80, 0x7f]],
  ['S', 'a text of a NUL', [0x17, 0x00]],
  ['S', 'a text of two NULs', [0x27, 0x00, 0x00]],
  ['S', 'a missing character', [0x17, 0x07]],
] as const;

describe.each(MISSING)('of %s, %s', (key, _, value) => {
  test('is a dot in INFO, and null in the view', () => {
    const { columns, view } = recordOf({ infos: [keyed(key, ...value)] });
    expect(columns[7]).toBe(`${key}=.`);
    expect([view.info(key)].flat()).toEqual([null]);
  });

  test('is a dot in FORMAT, and null in the view', () => {
    const { columns, view } = recordOf({ formats: [keyed(key, ...value)] });
    expect(columns.slice(8)).toEqual([key, '.']);
    expect([view.formatValue(0, key)].flat()).toEqual([null]);
  });
});

test.each([
  ['a missing first allele', [0x21, 0x80, 0x05], '.|1'],
  ['missing alleles', [0x22, 0x00, 0x80, 0x00, 0x80], './.'],
  ['the end at once', [0x21, 0x81, 0x81], '.'],
  ['no elements', [0x01], '.'],
])('a genotype with %s is the same in text, genotype and formatValue', (_, value, genotype) => {
  const { columns, view } = recordOf({ formats: [keyed('GT', ...value)] });
  expect(columns[9]).toBe(genotype);
  expect(view.formatValue(0, 'GT') ?? '.').toBe(columns[9]);
  expect(view.genotype(0)?.alleles.map((allele) => allele ?? '.')).toEqual(
    columns[9]?.split(/[/|]/).map((allele) => (allele === '.' ? '.' : Number(allele))),
  );
});

test.each([
  ['a negative allele', { formats: [keyed('GT', 0x21, 0x02, 0xf0)] }, 'GT has the negative number -16'],
  ['a missing type with elements', { infos: [keyed('I', 0x20)] }, 'typed value has an unexpected type'],
  ['no REF', { alleleCount: 0, values: Uint8Array.of(0x17, 0x2e, 0x00) }, 'record has no REF'],
])('refuses %s', (_, parts, message) => {
  expect(() => recordOf(parts)).toThrow(message);
});
