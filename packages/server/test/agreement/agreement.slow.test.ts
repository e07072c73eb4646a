import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPythonPackages } from '@htskit/testing';
import { afterAll, describe, test } from 'vitest';
import { compareAlignments } from './compare-alignments.js';
import { compareLines } from './compare-lines.js';
import { compareBcf, compareVcf } from './compare-variants.js';
import { createBed, createGff } from './line-files.js';

const requirements = fileURLToPath(new URL('../clients/pysam-requirements.txt', import.meta.url));
const version = /^pysam==(\S+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(folder, 'python'), requirements);
const python = join(bin ?? '', 'python');
afterAll(() => rm(folder, { recursive: true }), 300_000);

// Files are generated from seeds, and many have odd or hostile parts. What both answer must agree, or both must refuse the file,
// or the difference is one of the decisions that each comparison lists.
// Python judges the files of one test while htskit reads those of another.
describe.skipIf(bin === undefined).concurrent(`agrees with samtools, bcftools and tabix of pysam ${version}`, () => {
  test('on generated BAM', () => compareAlignments(python, folder, 'bam'));
  test('on generated CRAM', () => compareAlignments(python, folder, 'cram'));
  test('on generated VCF', () => compareVcf(python, folder));
  test('on generated BCF', () => compareBcf(python, folder));
  test('on generated BED', () => compareLines(python, folder, { preset: 'bed', create: createBed }));
  test('on generated GFF', () => compareLines(python, folder, { preset: 'gff', create: createGff }));
});
