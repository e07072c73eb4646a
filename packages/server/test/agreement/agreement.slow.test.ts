import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { folders } from '../interop-files.js';
import { compareAlignments } from './compare-alignments.js';
import { compareLines } from './compare-lines.js';
import { compareBcf, compareVcf } from './compare-variants.js';
import { installPysam, PYSAM_VERSION } from './judge.js';
import { createBed, createGff } from './line-files.js';
import { compareStored } from './stored/compare-stored.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const python = (await installPysam(folder)) ?? '';
afterAll(() => rm(folder, { recursive: true }), 300_000);

// Files are generated from seeds, and many have odd or hostile parts. What both answer must agree, or both must refuse the file,
// or the difference is one of the decisions that each comparison lists.
// Python judges the files of one test while htskit reads those of another.
describe.skipIf(python === '').concurrent(`agrees with samtools, bcftools and tabix of pysam ${PYSAM_VERSION}`, () => {
  test('on generated BAM', async () => expect(await compareAlignments(python, folder, 'bam')).toEqual([]));
  test('on generated CRAM', async () => expect(await compareAlignments(python, folder, 'cram')).toEqual([]));
  test('on generated VCF', async () => expect(await compareVcf(python, folder)).toEqual([]));
  test('on generated BCF', async () => expect(await compareBcf(python, folder)).toEqual([]));
  test('on generated BED', async () =>
    expect(await compareLines(python, folder, { preset: 'bed', create: createBed })).toEqual([]));
  test(`on the fixtures${folders.length > 1 ? ' and on external data' : ''}`, async () =>
    expect(await compareStored(python, folder)).toEqual([]));
  test('on generated GFF', async () =>
    expect(await compareLines(python, folder, { preset: 'gff', create: createGff })).toEqual([]));
});
