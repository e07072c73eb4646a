import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { StoredFile } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { listAnnotations, readAnnotation } from '../../../src/runtime/service/annotations.js';

/** Creates a folder with a BAM file, and files beside it. */
function createObject(): readonly StoredFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'data.bed'));
  copyFileSync(fixturePath('empty.bam'), join(folder, 'a.bam'));
  writeFileSync(join(folder, 'genes.gff3.gz'), Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]));
  writeFileSync(join(folder, 'targets.bed'), 'chr1\t1\t2\n');
  writeFileSync(join(folder, 'large.gtf'), new Uint8Array(2 ** 24 + 1));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'link.bed'));
  return [{ format: 'BAM', data: fileSource(join(folder, 'a.bam')) }];
}

test('lists the annotation files beside an object, without links, folders and large files', async () => {
  expect([...(await listAnnotations(createObject()))].sort()).toEqual(['genes.gff3.gz', 'targets.bed']);
});

test('reads an annotation file without its compression', async () => {
  const files = createObject();
  expect(new TextDecoder().decode(await readAnnotation(files, 'genes.gff3.gz'))).toBe('one\ntwo\n');
  expect(new TextDecoder().decode(await readAnnotation(files, 'targets.bed'))).toBe('chr1\t1\t2\n');
});

test.each(['secret.txt', 'link.bed', 'large.gtf', '../a.bed', '', 'data.bed'])('does not read %j', async (name) => {
  expect(await readAnnotation(createObject(), name)).toBeUndefined();
});

test('an object in memory has no annotation files', async () => {
  expect(await listAnnotations([{ format: 'BAM', data: memorySource(new Uint8Array(0)) }])).toEqual([]);
});
