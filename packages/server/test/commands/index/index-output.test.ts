import { copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkOutput } from '../../../src/commands/index/index-output.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);

/** Returns why the index cannot be written there, or undefined. */
async function refusal(
  name: string,
  options: { force?: boolean; inputs?: string[] } = {},
): Promise<string | undefined> {
  const inputs = options.inputs?.map(place) ?? [];
  const error = await checkOutput(place(name), { force: options.force ?? false, inputs }).catch(
    (thrown: unknown) => thrown as Error,
  );
  return error?.message.replaceAll(`${folder}/`, '');
}

const INDEXES = [
  'reads.bam.bai',
  'longref.bam.csi',
  'variants.vcf.gz.tbi',
  'reads.cram.crai',
  'genome.fa.fai',
  'genome.fa.gz.gzi',
];
const DATA = ['reads.bam', 'reads.cram', 'variants.bcf', 'variants.vcf.gz', 'genome.fa', 'genome.fa.gz'];

describe('checkOutput', () => {
  test.each(INDEXES)('overwrites an index such as %s with force', async (name) => {
    copyFileSync(fixturePath(name), place('x'));
    expect(await refusal('x')).toBe('x exists; use --force to overwrite it');
    expect(await refusal('x', { force: true })).toBe(undefined);
  });

  test.each([
    ['nothing', ''],
    ['gzip of nothing', gzipSync('')],
    ['CRAI that is not compressed', '-1\t0\t1\t26\t4\t7\n'],
    ['FAI of FASTQ', 'r\t4\t3\t4\t5\t10\n'],
    ['FAI longer than what is read', 'chr1\t100\t6\t60\t61\n'.repeat(1000)],
  ])('overwrites %s with force', async (_, data) => {
    writeFileSync(place('x'), data);
    expect(await refusal('x', { force: true })).toBe(undefined);
  });

  test.each(DATA)('never overwrites data such as %s', async (name) => {
    copyFileSync(fixturePath(name), place('x'));
    expect(await refusal('x', { force: true })).toBe('x exists and is not an index; remove it first');
  });

  test.each([
    ['text', 'mine'],
    ['SAM', '@HD\tVN:1.6\n'],
    ['BED', 'chr1\t1\t2\n'],
    ['text that begins as FAI does', 'chr1\t100\t6\t60\t61\nmine\n'],
    ['gzip of text', gzipSync('mine')],
    ['gzip that is damaged', Uint8Array.of(0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)],
  ])('never overwrites %s', async (_, data) => {
    writeFileSync(place('x'), data);
    expect(await refusal('x', { force: true })).toContain('x exists and is not an index');
  });

  test('never overwrites an input under any name', async () => {
    for (const name of ['a.bai', 'b.bai']) copyFileSync(fixturePath('reads.bam.bai'), place(name));
    linkSync(place('a.bai'), place('hard'));
    symlinkSync('a.bai', place('soft'));
    const inputs = ['b.bai', 'missing', 'a.bai'];
    for (const name of ['a.bai', './a.bai', 'hard', 'soft']) {
      expect(await refusal(name, { force: true, inputs })).toMatch(/ is the same file as the input a\.bai$/);
    }
    expect(await refusal('a.bai', { force: true, inputs: ['b.bai'] })).toBe(undefined);
  });

  test('treats a dangling link as existing', async () => {
    symlinkSync('nothing', place('link'));
    expect(await refusal('link')).toBe('link exists; use --force to overwrite it');
    expect(await refusal('link', { force: true })).toBe(undefined);
  });

  test('reports an unwritable folder', async () => {
    mkdirSync(place('folder'));
    symlinkSync('nowhere/x', place('link'));
    for (const name of ['nowhere/x', 'link']) {
      expect(await refusal(name, { force: true })).toBe(`cannot write ${name}: ENOENT: no such file or directory`);
    }
    expect(await refusal('folder', { force: true })).toBe('folder is not a regular file');
    writeFileSync(place('file'), '');
    expect(await refusal('file/x')).toBe('cannot write file/x: ENOTDIR: not a directory');
  });
});
