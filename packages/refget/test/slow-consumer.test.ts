import { openFasta, sequenceCollection } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { collectSlowly, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createCatalogue, createCollectionCatalogue, createRefgetHandler } from '../src/index.js';

const text = Buffer.from(readFixture('genome.fa')).toString('latin1');
const bases = text
  .split('>')
  .slice(1)
  .map((record) => record.slice(record.indexOf('\n')).replace(/\s/g, '').toUpperCase());

describe.each(['genome.fa', 'genome.fa.gz'])('a slow client of %s receives', async (name) => {
  const sequences = await openFasta({ data: memorySource(readFixture(name)) });
  const collection = await sequenceCollection(sequences);
  const handle = createRefgetHandler({
    catalogue: createCatalogue(sequences),
    collections: createCollectionCatalogue([collection]),
  });
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Buffer> => {
    const { body, status } = await handle(new Request(`http://localhost${path}`, { headers }));
    expect([200, 206]).toContain(status);
    return body === null ? Buffer.alloc(0) : collectSlowly(body);
  };

  test('sequences and parts of them', async () => {
    for (const [index, { metadata }] of sequences.entries()) {
      const expected = bases[index] ?? '';
      const path = `/sequence/${metadata.md5}`;
      expect((await get(path)).toString()).toBe(expected);
      const end = Math.floor(metadata.length / 2) + 1;
      expect((await get(`${path}?start=1&end=${end}`)).toString()).toBe(expected.slice(1, end));
      expect((await get(path, { range: `bytes=0-${end}` })).toString()).toBe(expected.slice(0, end + 1));
      expect(JSON.parse((await get(path, { accept: 'application/json' })).toString())).toMatchObject({
        sequence: expected,
      });
    }
  });

  test('the FASTA of a collection', async () => {
    const plain = await get(`/collection/${collection.digest}/fasta`);
    const written = plain.toString().split('>').slice(1);
    expect(written.map((record) => record.slice(record.indexOf('\n')).replace(/\n/g, ''))).toEqual(bases);
  });
});
