import { pathToFileURL } from 'node:url';
import { expectations, fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openAlignments, openRecords, type ReferenceOption } from '../../src/index.js';
import { samLines, sha256OfLines } from '../expected-records.js';
import { serveFixtures } from '../file-server.js';

const PLACES: Readonly<Record<string, () => Promise<ReferenceOption>>> = {
  'a path': async () => fixturePath('genome.fa'),
  'a path of a compressed file': async () => fixturePath('genome.fa.gz'),
  'a file URL': async () => pathToFileURL(fixturePath('genome.fa')),
  'a URL': async () => `${(await serveFixtures()).origin}/genome.fa`,
  'a URL of a compressed file': async () => new URL('/genome.fa.gz', (await serveFixtures()).origin),
};

test.each(Object.entries(PLACES))('the bases of CRAM are read from %s', async (_, place) => {
  const reference = await place();
  for (const open of [openAlignments, openRecords]) {
    const file = await open(fixturePath('referenced/reads.cram'), { reference, generateMismatchTags: false });
    if (file.format !== 'CRAM') throw new Error('expected CRAM');
    const lines = await samLines({ header: file.header, records: file.records() });
    expect(sha256OfLines(lines)).toBe(expectations('referenced/reads.cram').textSha256);
    await file.close();
  }
});

test('a reference that does not exist is an error when bases are needed', async () => {
  const reference = fixturePath('nothing.fa');
  const bam = await openAlignments(fixturePath('reads.bam'), { reference });
  expect(await bam.count({ referenceName: 'chr1', start: 0, end: 1000 })).toBeGreaterThan(0);
  await bam.close();
  const cram = await openAlignments(fixturePath('referenced/reads.cram'), { reference });
  await expect(cram.count()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await cram.close();
});
