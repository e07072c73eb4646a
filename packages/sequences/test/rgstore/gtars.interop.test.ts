import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { memoryStore } from '@htskit/storage/memory';
import { fixturePath, installPythonPackages } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { exportRgstore } from '../../src/rgstore/export-rgstore.js';
import { readRgstore } from '../../src/rgstore/open-rgstore.js';
import { importFasta } from '../../src/store/import-fasta.js';
import { openSequenceStore } from '../../src/store/sequence-store.js';
import { readBases } from '../fasta/read-bases.js';

const run = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const version = /^gtars==(\S+)$/m.exec(readFileSync(pathOf('gtars-requirements.txt'), 'utf8'))?.[1] ?? '';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(scratch, 'python'), pathOf('gtars-requirements.txt'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A copy, since gtars writes an index beside it. */
const GENOME = join(scratch, 'genome.fa');
copyFileSync(fixturePath('genome.fa'), GENOME);

/** Nucleotide codes, letters of proteins with a stop, RNA, gaps, a repeated sequence and an empty one. */
const OTHERS = join(scratch, 'others.fa');
writeFileSync(
  OTHERS,
  '>a\nACGTNNRYX\n>b x\nACGTKSWBM\n>dhv\nACGTKDHV\n>rna\nACGUU\n>p\nMKVLJZBOX*\n>u\nMKUU*\n>gaps\nAC--GT\n>again\nACGTNNRYX\n>empty\n',
);

interface GtarsStore {
  readonly collections: Readonly<Record<string, Readonly<Record<string, readonly (string | number)[]>>>>;
  readonly sequences: Readonly<Record<string, string>>;
}

async function gtars<T>(...args: string[]): Promise<T> {
  const { stdout } = await run(join(bin ?? '', 'python'), [pathOf('gtars-store.py'), ...args]);
  return JSON.parse(stdout) as T;
}

describe.skipIf(bin === undefined).each(['raw', 'encoded'])(`gtars ${version}, %s`, (mode) => {
  test('reads an exported store with its collections and sequences', async () => {
    const store = memoryStore();
    const paths = [GENOME, OTHERS];
    const collections: string[] = [];
    for (const path of paths) {
      const { collection = '' } = await importFasta({ store, data: fileSource(path), characters: 'sam' });
      collections.push(collection);
    }
    const folder = join(scratch, `exported-${mode}`);
    await exportRgstore(store, { target: folderStore(folder), collections, isEncoded: mode === 'encoded' });
    const found = await gtars<GtarsStore>('read', folder);
    expect(Object.keys(found.collections).sort()).toEqual([...collections].sort());
    const opened = await openSequenceStore(store);
    for (const digest of collections) {
      const arrays = (await opened.collections.find(digest))?.arrays;
      const { names = [], lengths = [], sequences = [] } = found.collections[digest] ?? {};
      expect(names).toEqual(names.map((_, row) => arrays?.names.at(row)));
      expect(lengths).toEqual(names.map((_, row) => arrays?.lengths.at(row)));
      expect(sequences).toEqual(names.map((_, row) => arrays?.sequences.at(row)));
      expect(names).toHaveLength(arrays?.names.length ?? 0);
    }
    expect(Object.keys(found.sequences).length).toBeGreaterThan(8);
    for (const [sha512t24u, text] of Object.entries(found.sequences)) {
      const digest = `SQ.${sha512t24u.replace(/^SQ\./, '')}`;
      const [sequence] = await opened.find({ kind: 'sha512t24u', digest });
      expect(sequence && (await readBases(sequence))).toBe(text);
    }
  });

  test('writes a store whose collections are those of the same FASTA files', async () => {
    const folder = join(scratch, `written-${mode}`);
    const digests = await gtars<string[]>('write', folder, mode, GENOME, OTHERS);
    const { collections, sequences } = await readRgstore({ store: folderStore(folder) });
    expect((await collections.list()).map(({ digest }) => digest).sort()).toEqual([...digests].sort());
    const store = memoryStore();
    for (const [index, path] of [GENOME, OTHERS].entries()) {
      expect((await importFasta({ store, data: fileSource(path), characters: 'sam' })).collection).toBe(digests[index]);
      const found = await collections.find(digests[index] ?? '');
      const expected = await (await openSequenceStore(store)).collections.find(digests[index] ?? '');
      expect(found?.attributes).toEqual(expected?.attributes);
    }
    const imported = await openSequenceStore(store);
    const lost: string[] = [];
    for (const sequence of sequences) {
      const [same] = await imported.find({ kind: 'sha512t24u', digest: sequence.metadata.sha512t24u });
      const expected = same && (await readBases(same));
      // A sequence that is returned has its digests.
      if ((await readBases(sequence).catch(() => undefined)) !== expected) lost.push(sequence.name);
    }
    // gtars encodes U as another letter, and reads that letter itself.
    expect(lost).toEqual(mode === 'raw' ? [] : ['u', 'rna']);
  });
});
