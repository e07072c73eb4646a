import { pathToFileURL } from 'node:url';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openAlignments, openRecords, type ReferenceOption } from '../../src/index.js';
import { samLines } from '../expected-records.js';
import { serveFixtures } from '../file-server.js';
import { genomeReference } from '../genome-reference.js';

const PLACES: Readonly<Record<string, () => Promise<ReferenceOption>>> = {
  'a path': async () => fixturePath('genome.fa'),
  'a path of a compressed file': async () => fixturePath('genome.fa.gz'),
  'a file URL': async () => pathToFileURL(fixturePath('genome.fa')),
  'a URL': async () => `${(await serveFixtures()).origin}/genome.fa`,
  'a URL of a compressed file': async () => new URL('/genome.fa.gz', (await serveFixtures()).origin),
};

const CRAM = fixturePath('referenced/reads.cram');

async function linesWith(reference: ReferenceOption): Promise<string[]> {
  const file = await openAlignments(CRAM, { reference });
  const lines = await samLines({ header: file.header, records: file.records() });
  await file.close();
  return lines;
}

test.each(Object.entries(PLACES))('the bases of CRAM are read from %s', async (_, place) => {
  const expected = await linesWith(genomeReference);
  expect(expected.length).toBeGreaterThan(1000);
  const reference = await place();
  expect(await linesWith(reference)).toEqual(expected);
  const file = await openRecords(CRAM, { reference });
  expect(await file.count()).toBe(expected.length);
  await file.close();
});

test('a reference that does not exist is an error when bases are needed', async () => {
  const reference = fixturePath('nothing.fa');
  const bam = await openAlignments(fixturePath('reads.bam'), { reference });
  expect(await bam.count({ referenceName: 'chr1', start: 0, end: 1000 })).toBeGreaterThan(0);
  await bam.close();
  const cram = await openAlignments(CRAM, { reference });
  await expect(cram.count()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await cram.close();
});
