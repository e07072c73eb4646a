import { expect, test } from 'vitest';
import { parseFileId } from '../../src/drs/file-owner.js';

const DIGEST = 'XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk';

test.each([
  ['a.bam', { kind: 'object-file', datatype: 'reads', id: 'a', format: 'BAM', index: undefined }],
  ['x/a.cram', { kind: 'object-file', datatype: 'reads', id: 'x/a', format: 'CRAM' }],
  ['a.vcf.gz', { kind: 'object-file', datatype: 'variants', id: 'a', format: 'VCF' }],
  ['a.vcf.bgz', { kind: 'object-file', datatype: 'variants', id: 'a', format: 'VCF' }],
  ['a.bcf', { kind: 'object-file', datatype: 'variants', id: 'a', format: 'BCF' }],
  ['a.bam.bai', { kind: 'object-file', id: 'a', format: 'BAM', index: 'BAI' }],
  ['a.bai', { kind: 'object-file', id: 'a', format: 'BAM', index: 'BAI' }],
  ['a.bam.csi', { kind: 'object-file', id: 'a', format: 'BAM', index: 'CSI' }],
  ['a.csi', { kind: 'object-file', id: 'a', format: 'BAM', index: 'CSI' }],
  ['a.cram.crai', { kind: 'object-file', id: 'a', format: 'CRAM', index: 'CRAI' }],
  ['a.crai', { kind: 'object-file', id: 'a', format: 'CRAM', index: 'CRAI' }],
  ['a.vcf.gz.tbi', { kind: 'object-file', id: 'a', format: 'VCF', index: 'TBI' }],
  ['a.vcf.tbi', { kind: 'object-file', id: 'a', format: 'VCF', index: 'TBI' }],
  ['a.bcf.csi', { kind: 'object-file', id: 'a', format: 'BCF', index: 'CSI' }],
  ['reads/a.bam', { kind: 'object-file', datatype: 'reads', id: 'reads/a' }],
  ['reads/a', { kind: 'object', datatype: 'reads', id: 'a' }],
  ['variants/a/b', { kind: 'object', datatype: 'variants', id: 'a/b' }],
  [DIGEST, { kind: 'collection', digest: DIGEST, part: 'fasta' }],
  [`${DIGEST}.fa.fai`, { kind: 'collection', digest: DIGEST, part: 'fai' }],
  [`collection/${DIGEST}`, { kind: 'collection', digest: DIGEST, part: 'bundle' }],
  ['genome.fa', { kind: 'sequence-file', name: 'genome.fa', companion: undefined }],
  ['x/genome.fa.gz.gzi', { kind: 'sequence-file', name: 'x/genome.fa.gz', companion: 'gzi' }],
  ['genome.fasta.fai', { kind: 'sequence-file', name: 'genome.fasta', companion: 'fai' }],
  ['genome.2bit', { kind: 'sequence-file', name: 'genome.2bit' }],
  ['genome.fa.bundle', { kind: 'sequence-file', name: 'genome.fa', companion: 'bundle' }],
])('%s belongs to its object', (id, owner) => {
  expect(parseFileId(id)).toMatchObject(owner);
});

test.each([
  '',
  'a',
  'a.txt',
  '.bam',
  'x/.bam',
  '...bam',
  'service-info.bam',
  'a.bam.c4gh',
  'a.bam.tbi',
  'a.fai',
  'genome.fa.c4gh',
  'htskit.yaml',
])('"%s" is not the name of a file', (id) => {
  expect(parseFileId(id)).toBeUndefined();
});
