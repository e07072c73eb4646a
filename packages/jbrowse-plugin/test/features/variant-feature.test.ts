import { VariantHeader, VcfVariantRecord } from '@htskit/formats';
import { expect, test } from 'vitest';
import { VariantFeature } from '../../src/features/variant-feature.js';
import { readDescriptions } from '../../src/features/variant-metadata.js';
import { describeVariant } from '../../src/features/variant-type.js';

const HEADER = `##fileformat=VCFv4.3
##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth, \\"all\\"">
##INFO=<ID=DB,Number=0,Type=Flag,Description="dbSNP">
##INFO=<ID=NOTE,Number=.,Type=String,Description="Notes">
##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">
##FORMAT=<ID=AD,Number=R,Type=Integer,Description="Depths">
##ALT=<ID=DEL,Description="Deletion">
##contig=<ID=chr1,length=1000>
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb
`;
const header = new VariantHeader({ text: HEADER });

function featureOf(line: string): VariantFeature {
  return new VariantFeature(new VcfVariantRecord(header).at(new TextEncoder().encode(line), 0), 'x');
}

test('has the columns as the parser of JBrowse names them', () => {
  const line = 'chr1\t11\trs1;rs2\tA\tC,<DEL>\t9.5\tPASS\tDP=3;DB;NOTE=a%2Cb,c%3D\tGT:AD\t0|1:1,.,2\t./.:.';
  const feature = featureOf(line);
  expect(feature.toJSON()).toEqual({
    uniqueId: 'x',
    refName: 'chr1',
    start: 10,
    end: 11,
    type: 'SNV,deletion',
    description: 'SNV A -> C,<DEL>',
    name: 'rs1,rs2',
    CHROM: 'chr1',
    POS: 11,
    ID: ['rs1', 'rs2'],
    REF: 'A',
    ALT: ['C', '<DEL>'],
    QUAL: 9.5,
    FILTER: 'PASS',
    INFO: { DP: [3], DB: true, NOTE: ['a,b', 'c='] },
    FORMAT: 'GT:AD',
    samples: { a: { GT: ['0|1'], AD: [1, '.', 2] }, b: { GT: ['./.'], AD: undefined } },
  });
  expect(feature.get('genotypes')).toEqual({ a: '0|1', b: './.' });
});

test('leaves out columns that are missing', () => {
  const feature = featureOf('chr1\t11\t.\tA\t.\t.\t.\t.\tAD\t1\t.');
  const fields = ['ID', 'ALT', 'QUAL', 'FILTER', 'name'];
  expect(fields.map((field) => feature.get(field))).toEqual(fields.map(() => undefined));
  expect(feature.get('genotypes')).toEqual({});
});

test('a record at a telomere begins with the reference', () => {
  expect(featureOf('chr1\t0\t.\tN\tA\t.\tq10;s50\t.\tGT\t0\t1').get('start')).toBe(0);
  expect(featureOf('chr1\t0\t.\tN\tA\t.\tq10;s50\t.\tGT\t0\t1').get('FILTER')).toEqual(['q10', 's50']);
});

test('describes keys as the header does', () => {
  expect(readDescriptions(HEADER)).toEqual({
    INFO: {
      DP: { Number: 1, Type: 'Integer', Description: 'Depth, "all"' },
      DB: { Number: 0, Type: 'Flag', Description: 'dbSNP' },
      NOTE: { Number: '.', Type: 'String', Description: 'Notes' },
    },
    FORMAT: {
      GT: { Number: 1, Type: 'String', Description: 'Genotype' },
      AD: { Number: 'R', Type: 'Integer', Description: 'Depths' },
    },
    ALT: { DEL: { Description: 'Deletion' } },
  });
});

test.each([
  ['A', ['C'], 'SNV', 'SNV A -> C'],
  ['AC', ['GT'], 'substitution', 'substitution AC -> GT'],
  ['A', ['ACG'], 'insertion', 'insertion A -> ACG'],
  ['ACGTACGT', ['A'], 'deletion', '7bp DEL'],
  ['A', ['ACGTACGT'], 'insertion', '7bp INS'],
  ['ACGTAC', ['GGGGGG'], 'substitution', 'substitution 6bp -> 6bp'],
  ['A', ['<DUP:TANDEM>'], 'tandem_duplication', '<DUP:TANDEM>'],
  ['A', ['<DEL:ME:ALU>'], 'deletion', '<DEL:ME:ALU>'],
  ['A', ['<*>'], 'sequence_variant', '<*>'],
  ['A', ['*'], 'sequence_variant', '*'],
  ['A', ['<X>'], 'sequence_variant', '<X>'],
  ['A', ['A[chr2:5['], 'breakend', 'A[chr2:5['],
  ['A', ['.A'], 'breakend', '.A'],
  ['A', ['C', 'G'], 'SNV', 'SNV A -> C,SNV A -> G'],
  ['A', [], 'remark', 'no alternative alleles'],
])('describes %s to %j', (ref, alt, type, description) => {
  expect(describeVariant({ ref, alt })).toEqual({ type, description });
});
