import { expect, test } from 'vitest';
import { annotationFormat, findGene } from '../../page/region/find-gene.js';

const GFF = [
  '##gff-version 3',
  'chr1\ta\tgene\t101\t900\t.\t+\t.\tID=g1;Name=BRCA9',
  'chr1\ta\tmRNA\t101\t500\t.\t+\t.\tID=t1;Parent=g1;Name=BRCA9',
  'chr2\ta\tgene\t11\t20\t.\t-\t.\tID=g2;Name=A',
].join('\n');
const GTF = 'chr3\ta\tgene\t6\t9\t.\t+\t.\tgene_id "E7"; gene_name "TP99";\n';
const BED = 'track name=x\nchr4\t5\t9\tMYC9\t0\t+\nchr4\tx\t9\tMYC9\n';

test.each([
  [GFF, 'brca9', 'gff3', { referenceName: 'chr1', start: 100, end: 900 }],
  [GFF, 'g2', 'gff3', { referenceName: 'chr2', start: 10, end: 20 }],
  [GTF, 'TP99', 'gtf', { referenceName: 'chr3', start: 5, end: 9 }],
  [GTF, 'E7', 'gtf', { referenceName: 'chr3', start: 5, end: 9 }],
  [BED, 'MYC9', 'bed', { referenceName: 'chr4', start: 5, end: 9 }],
  [GFF, 'BRCA', 'gff3', undefined],
] as const)('finds the longest feature of a name (case %#)', (text, name, format, region) => {
  expect(findGene(text, name, format)).toEqual(region);
});

test.each([
  ['genes.gff3.gz', 'gff3'],
  ['a.gff', 'gff3'],
  ['a.GTF.gz', 'gtf'],
  ['a.bed.bgz', 'bed'],
])('knows the format of %s', (name, format) => {
  expect(annotationFormat(name)).toBe(format);
});
