import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVED_FILES } from '../../src/objects/object-catalogue.js';
import { checkPaths } from '../../src/objects/open-objects.node.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string): string {
  writeFileSync(join(folder, name), '');
  return join(folder, name);
}

test('accepts folders and files with every name that the message lists', async () => {
  const extensions = [...SERVED_FILES.matchAll(/\*(\.[\w.]*\w)/g)].map(([, extension = '']) => extension);
  expect(extensions).toHaveLength(9);
  const names = [...extensions, '.fa.gz', '.fasta.gz', '.fna.gz'].map((extension) => write(`a${extension}`));
  await expect(checkPaths([folder, ...names])).resolves.toBeUndefined();
});

test.each(['a.bam.bai', 'a.crai', 'a.vcf.gz.tbi', 'a.bcf.csi', 'a.fa.fai', 'a.fa.gz.gzi'])(
  'accepts %s, the index of a file',
  async (name) => {
    await expect(checkPaths([write(name)])).resolves.toBeUndefined();
  },
);

test.each(['README.md', 'a.vcf', 'a.sam', 'a.bam.bak', '.bam', 'a.bam.gz'])('rejects %s', async (name) => {
  const path = write(name);
  await expect(checkPaths([folder, path])).rejects.toThrow(`cannot serve ${path}: reads are *.bam and *.cram; `);
});

test('rejects a device, and a missing path by name', async () => {
  await expect(checkPaths(['/dev/null'])).rejects.toThrow('cannot serve /dev/null');
  await expect(checkPaths([join(folder, 'nothing.bam')])).rejects.toThrow(/ENOENT.*nothing\.bam/);
});
