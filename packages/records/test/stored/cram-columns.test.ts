import type { AlignmentColumnField } from '@htskit/formats';
import { BamColumns } from '@htskit/formats/internal';
import { memorySource } from '@htskit/storage/memory';
import { expectations, fixtureNames, fixturePath, readFixture, sample } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type AlignmentFile, openAlignments, type Region } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';

const FIELDS: readonly AlignmentColumnField[] = [
  'start',
  'end',
  'flags',
  'templateLength',
  'names',
  'cigar',
  'mismatches',
];
const REQUEST = { fields: FIELDS, tags: ['NM'], maxRecords: 2 ** 30 } as const;

/** Returns the columns that the BAM records of a file are filled into. */
async function expectedColumns(file: AlignmentFile, regions?: readonly Region[], scan = false): Promise<unknown> {
  const columns = new BamColumns({ ...REQUEST, maxBytes: 2 ** 30 });
  for await (const bytes of file.recordBytes(regions, { scan })) columns.append(bytes, 0);
  return columns.length > 0 ? [columns.take()] : [];
}

async function collect<Batch>(batches: AsyncIterable<Batch>): Promise<Batch[]> {
  const collected: Batch[] = [];
  for await (const batch of batches) collected.push(batch);
  return collected;
}

async function columnsOf(file: AlignmentFile, regions?: readonly Region[], scan = false): Promise<unknown> {
  return collect(file.columns(regions, { ...REQUEST, scan }));
}

describe.each(fixtureNames('.cram'))('columns of %s', (name) => {
  const options = { reference: genomeReference, onWarning: () => undefined };
  const { regions } = expectations(name);

  test('are those of its BAM records', async () => {
    const file = await openAlignments(fixturePath(name), options);
    expect(await columnsOf(file)).toEqual(await expectedColumns(file));
    await file.close();
  });

  test('of regions are those of their BAM records, with an index and without it', async () => {
    const indexed = await openAlignments(fixturePath(name), options);
    const alone = await openAlignments(memorySource(readFixture(name)), options);
    const some = sample(regions).map(({ referenceName, start, end }) => ({ referenceName, start, end }));
    for (const wanted of [...some.map((region) => [region]), [...some, { referenceName: '*' }]]) {
      expect(await columnsOf(indexed, wanted)).toEqual(await expectedColumns(indexed, wanted));
      expect(await columnsOf(alone, wanted, true)).toEqual(await expectedColumns(alone, wanted, true));
    }
    await indexed.close();
  });
});

test('columns that need no bases are read without the reference', async () => {
  const file = await openAlignments(fixturePath('cram/htslib-3.1.cram'), { onWarning: () => undefined });
  const request = { fields: ['start', 'end', 'flags', 'cigar', 'names', 'qualities'], tags: ['RG'] } as const;
  let length = 0;
  for await (const batch of file.columns(undefined, request)) length += batch.length;
  expect(length).toBeGreaterThan(0);
  const reading = collect(file.columns(undefined, { fields: ['sequence'] }));
  await expect(reading).rejects.toMatchObject({ code: 'MISSING_REFERENCE' });
  await file.close();
});
