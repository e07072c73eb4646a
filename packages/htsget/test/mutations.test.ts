import type { Ticket } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { decodeBam, mutations, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { StoredFile } from '../src/index.js';
import { fixtureHandler } from './fixture-files.js';
import { fetchBlocks, PUBLIC_URL } from './read-ticket.js';

const bam = readFixture('reads-csi.bam');
const bai = readFixture('straddle.bam.bai');
const straddle = readFixture('straddle.bam');

/** Returns the file that a client receives, or undefined for a protocol error or a body that breaks off. */
async function served(data: Uint8Array, index: Uint8Array | undefined): Promise<Uint8Array | undefined> {
  const file: StoredFile = {
    format: 'BAM',
    data: memorySource(data),
    ...(index && { index: memorySource(index) }),
  };
  const handler = fixtureHandler({}, { mutated: [file] });
  const response = await handler(new Request(`${PUBLIC_URL}/reads/mutated?referenceName=chr1&start=1000&end=30000`));
  const { htsget } = (await response.json()) as { htsget: Ticket['htsget'] & { error?: string; message?: string } };
  if (response.status === 200) return fetchBlocks(handler, { htsget }).catch(() => undefined);
  if (typeof htsget.error !== 'string' || typeof htsget.message !== 'string') throw new Error('no error body');
  return undefined;
}

function recordsOf(bytes: Uint8Array): string[] {
  return decodeBam(bytes).records.map(({ raw }) => Buffer.from(raw).toString('base64'));
}

test.each([
  ['a corrupt index', straddle, bai, (mutated: Uint8Array) => served(straddle, mutated), 20],
  // The records are filtered, so each block is inflated and its CRC32 verified.
  ['corrupt data', bam, bam, (mutated: Uint8Array) => served(mutated, undefined), 0],
])('%s causes an error or a valid file of records that are in the file', async (_, data, original, serve, minFiles) => {
  const stored = new Set(recordsOf(data));
  const outcomes = { files: 0, errors: 0 };
  for (const { bytes } of mutations(original, { seed: 1, count: volume(300) })) {
    const file = await serve(bytes);
    outcomes[file === undefined ? 'errors' : 'files']++;
    expect(file === undefined ? [] : recordsOf(file).filter((record) => !stored.has(record))).toEqual([]);
  }
  expect(outcomes.files).toBeGreaterThanOrEqual(volume(minFiles));
  expect(outcomes.errors).toBeGreaterThan(volume(20));
});
