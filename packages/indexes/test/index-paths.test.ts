import { expect, test } from 'vitest';
import { indexPaths } from '../src/index.js';

test.each([
  ['a.b/x.bam', 'BAM', ['a.b/x.bam.bai', 'a.b/x.bai', 'a.b/x.bam.csi', 'a.b/x.csi']],
  ['x.cram', 'CRAM', ['x.cram.crai', 'x.crai']],
  ['x.vcf.gz', 'VCF', ['x.vcf.gz.tbi', 'x.vcf.tbi', 'x.vcf.gz.csi', 'x.vcf.csi']],
  ['x.bcf', 'BCF', ['x.bcf.csi', 'x.csi']],
  ['a.b/x', 'BAM', ['a.b/x.bai', 'a.b/x.bai', 'a.b/x.csi']],
] as const)('the index of %s has the names that htslib tries', (path, format, names) => {
  expect(new Set(indexPaths(path, format))).toEqual(new Set(names));
});

test('a CSI that may be the index of another file is the last choice', () => {
  expect(indexPaths('x.bam', 'BAM')).toEqual(['x.bam.bai', 'x.bai', 'x.bam.csi', 'x.csi']);
});

test('an encrypted index comes before a plain one of the encrypted file, and before one of the plain file', () => {
  expect(indexPaths('x.bam.c4gh', 'BAM')).toEqual([
    'x.bam.bai.c4gh',
    'x.bam.csi.c4gh',
    'x.bam.c4gh.bai',
    'x.bam.c4gh.csi',
    'x.bam.bai',
    'x.bai',
    'x.bam.csi',
    'x.csi',
  ]);
  expect(indexPaths('x.bcf.c4gh', 'BCF')).toEqual(['x.bcf.csi.c4gh', 'x.bcf.c4gh.csi', 'x.bcf.csi', 'x.csi']);
});
