import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import { BcfVariantRecord, VariantHeader, VcfVariantRecord } from '../../../src/index.js';
import { buildBcfRecord } from '../../bcf/build-bcf.js';
import { readColumns } from '../genotypes/model-genotypes.js';

const TEXT = `##fileformat=VCFv4.3
##contig=<ID=chr1>
##INFO=<ID=F,Number=A,Type=Float,Description="x">
##INFO=<ID=I,Number=.,Type=Integer,Description="x">
##INFO=<ID=DB,Number=0,Type=Flag,Description="x">
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO
`;
const HEADER = new VariantHeader({ text: TEXT });

test.each(['F=.', 'F=', 'F=x', 'I=.', 'I=x', 'I=3000000000', 'I=-2147483648', 'DB'])(
  'a list without a known number is not valid: %s',
  (info) => {
    const records = Buffer.from(`chr1\t1\t.\tA\tC\t.\t.\t${info}\n`);
    const [batch] = readColumns(records, { text: TEXT, format: 'VCF', fields: [], info: ['F', 'I'] });
    const [offsets, validity] = [Int32Array.of(0, 0), Uint8Array.of(0)];
    expect(batch?.info.F).toEqual({ type: 'list', offsets, validity, values: new Float32Array(0) });
    expect(batch?.info.I).toEqual({ type: 'list', offsets, validity, values: new Int32Array(0) });
  },
);

test.each(['DB', 'DB=1', 'DB=.', 'DB='])('a flag is present whatever its value is: %s', (info) => {
  const records = Buffer.from(`chr1\t1\t.\tA\tC\t.\t.\t${info}\n`);
  const [batch] = readColumns(records, { text: TEXT, format: 'VCF', fields: [], info: ['DB'] });
  expect(batch?.info.DB.values).toEqual(Uint8Array.of(1));
});

test('empty columns of a line are missing', () => {
  const records = Buffer.from('chr1\t1\t\tA\t\t\t\t\n');
  const fields = ['ids', 'alleles', 'quality', 'filters'] as const;
  const [batch] = readColumns(records, { text: TEXT, format: 'VCF', fields });
  assert(batch !== undefined);
  const missing = Uint8Array.of(0);
  expect([batch.ids.validity, batch.quality.validity, batch.filters.validity]).toEqual([missing, missing, missing]);
  expect(batch.alleles.offsets).toEqual(Int32Array.of(0, 1));
  const { id, alt, quality, filters } = new VcfVariantRecord(HEADER).at(records, 0);
  expect({ id, alt, quality, filters }).toEqual({ id: undefined, alt: [], quality: undefined, filters: undefined });
});

test.each([
  ['a dot', 0x2e],
  ['a missing character', 0x07],
  ['a NUL', 0x00],
])('ID of a BCF record that is %s is missing', (_, character) => {
  const records = buildBcfRecord({ values: Uint8Array.of(0x17, character, 0x17, 0x41, 0x00) });
  const [batch] = readColumns(records, { text: TEXT, format: 'BCF', fields: ['ids'] });
  expect(batch?.ids.validity).toEqual(Uint8Array.of(0));
  expect(new BcfVariantRecord(HEADER).at(records, 0).id).toBeUndefined();
});

test('missing characters and empty alleles of a BCF record are dots', () => {
  // ID, "A" with a missing character, an allele without characters, FILTER.
  const values = Uint8Array.of(0x07, 0x27, 0x41, 0x07, 0x07, 0x00);
  const records = buildBcfRecord({ alleleCount: 2, values });
  const [batch] = readColumns(records, { text: TEXT, format: 'BCF', fields: ['alleles'] });
  expect(batch?.alleles.values).toEqual({
    offsets: Int32Array.of(0, 2, 3),
    values: Uint8Array.from(Buffer.from('A..')),
  });
  const { ref, alt } = new BcfVariantRecord(HEADER).at(records, 0);
  expect([ref, ...alt]).toEqual(['A.', '.']);
});

test('a missing character in the text of a VCF line stays', () => {
  const records = Buffer.from('chr1\t1\t\x07\tA\tC\t.\t.\t.\n');
  const [batch] = readColumns(records, { text: TEXT, format: 'VCF', fields: ['ids'] });
  expect(batch?.ids).toEqual({ offsets: Int32Array.of(0, 1), values: Uint8Array.of(0x07) });
});
