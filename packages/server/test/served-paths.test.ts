import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPaths, SERVED_FILES } from '@htskit/catalogue/internal';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string): string {
  writeFileSync(join(folder, name), '');
  return join(folder, name);
}

test('folders, and files of every name that people are told of, can be served', async () => {
  const extensions = [...SERVED_FILES.matchAll(/\*(\.[\w.]*\w)/g)].map(([, extension = '']) => extension);
  expect(extensions).toHaveLength(9);
  const names = [...extensions, '.fa.gz', '.fasta.gz', '.fna.gz'].map((extension) => write(`a${extension}`));
  await expect(checkPaths([folder, ...names])).resolves.toBeUndefined();
});

test.each(['a.bam.bai', 'a.crai', 'a.vcf.gz.tbi', 'a.bcf.csi', 'a.fa.fai', 'a.fa.gz.gzi'])(
  '%s may be named beside its file',
  async (name) => {
    await expect(checkPaths([write(name)])).resolves.toBeUndefined();
  },
);

test.each(['README.md', 'a.vcf', 'a.sam', 'a.bam.bak', '.bam', 'a.bam.gz'])('%s cannot be served', async (name) => {
  const path = write(name);
  await expect(checkPaths([folder, path])).rejects.toThrow(`${path} cannot be served: reads are *.bam and *.cram; `);
});

test('what is neither a file nor a folder cannot be served, and what is not there is named', async () => {
  await expect(checkPaths(['/dev/null'])).rejects.toThrow('/dev/null cannot be served');
  await expect(checkPaths([join(folder, 'nothing.bam')])).rejects.toThrow(/ENOENT.*nothing\.bam/);
});
