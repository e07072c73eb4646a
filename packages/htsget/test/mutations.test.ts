import { BgzfError } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { decodeBam, mutations, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { StoredFile } from '../src/index.js';
import { fixtureHandler } from './fixture-files.js';
import { fetchBlocks, PUBLIC_URL } from './read-ticket.js';

const bam = readFixture('reads-csi.bam');
const bai = readFixture('straddle.bam.bai');
const straddle = readFixture('straddle.bam');

/** What a client gets: a file, an error of the protocol, or a body that breaks off. */
async function outcome(data: Uint8Array, index: Uint8Array | undefined, query: string): Promise<Uint8Array | number> {
  const file: StoredFile = {
    format: 'BAM',
    data: memorySource(data),
    ...(index && { index: memorySource(index) }),
  };
  const handler = fixtureHandler({}, { mutated: [file] });
  const response = await handler(new Request(`${PUBLIC_URL}/reads/mutated${query}`));
  const document = await response.json();
  if (response.status !== 200) {
    expect(document).toMatchObject({ htsget: { error: expect.any(String), message: expect.any(String) } });
    return response.status;
  }
  return fetchBlocks(handler, document).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Error);
    return error instanceof BgzfError ? 500 : 0;
  });
}

test('a corrupt index never yields anything but a valid file or an error', async () => {
  const expected = new Set(decodeBam(straddle).records.map(({ name }) => name));
  let served = 0;
  for (const { bytes } of mutations(bai, { seed: 1, count: 300 })) {
    const result = await outcome(straddle, bytes, '?referenceName=chr1&start=1000&end=30000');
    if (typeof result === 'number') continue;
    served++;
    for (const { name } of decodeBam(result).records) expect(expected.has(name)).toBe(true);
  }
  expect(served).toBeGreaterThan(20);
});

test('corrupt data is never served as if it were whole', async () => {
  const expected = new Set(decodeBam(bam).records.map(({ raw }) => Buffer.from(raw).toString('base64')));
  let refused = 0;
  for (const { bytes } of mutations(bam, { seed: 2, count: 300 })) {
    const result = await outcome(bytes, undefined, '?referenceName=chr1');
    if (typeof result === 'number') {
      refused++;
      continue;
    }
    // Filtered, so each block was inflated and its CRC32 verified.
    for (const { raw } of decodeBam(result).records)
      expect(expected.has(Buffer.from(raw).toString('base64'))).toBe(true);
  }
  expect(refused).toBeGreaterThan(100);
});
