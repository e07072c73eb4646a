import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileSource } from '@htskit/storage/file';
import { memoryStore } from '@htskit/storage/memory';
import { encodeTwoBit, fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { importFasta, openFasta, openTwoBit } from '../src/index.js';

const genome = fixturePath('genome.fa.gz');

test('a FASTA and its indexes may be given by their paths or URLs', async () => {
  const expected = await openFasta({ data: fileSource(genome) });
  const [byPath] = await openFasta({ data: genome, fai: `${genome}.fai`, gzi: pathToFileURL(`${genome}.gzi`) });
  expect(byPath?.metadata).toEqual(expected[0]?.metadata);
  expect(await byPath?.read({ start: 0, end: 100 })).toEqual(await expected[0]?.read({ start: 0, end: 100 }));
});

test('a 2bit file may be given by its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-2bit-'));
  try {
    const path = join(folder, 'genome.2bit');
    writeFileSync(path, encodeTwoBit([{ name: 'a', bases: 'ACGTN' }]));
    const [sequence] = await openTwoBit({ data: path });
    expect(new TextDecoder().decode(await sequence?.read({ start: 0, end: 5 }))).toBe('ACGTN');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the FASTA of an import may be given by its path', async () => {
  const summary = await importFasta({ store: memoryStore(), data: genome });
  expect(summary.records).toBe((await openFasta({ data: genome })).length);
});

test('a path without a file is an error of the storage', async () => {
  await expect(openFasta({ data: fixturePath('missing.fa') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
