import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { parseBamHeader } from '@htskit/formats';
import { replaceBamHeaderText } from '@htskit/formats/internal';
import { type PermittedSamples, planFile, type StoredFile, streamPlan } from '@htskit/htsget';
import { indexBam } from '@htskit/indexes';
import { concatBytes, readChunks } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { BASE, createHandler, fetchBins } from './coverage-service.js';

async function toFile(bytes: Uint8Array<ArrayBuffer>): Promise<StoredFile> {
  const index = await indexBam(readChunks(new Blob([bytes]).stream()));
  return { format: 'BAM', data: memorySource(bytes, { version: '1' }), index: memorySource(index, { version: '1' }) };
}

/** Returns `reads.bam` with a sample of its own for each of its two read groups. Some reads have none. */
async function twoSamples(): Promise<StoredFile> {
  const data = bgunzip(readFixture('reads.bam'));
  const { text, byteLength } = parseBamHeader(data);
  const header = text.replace(/(ID:lane1\tSM:)\w+/, '$1one').replace(/(ID:lane2\tSM:)\w+/, '$1two');
  const changed = replaceBamHeaderText(data.subarray(0, byteLength), header);
  return toFile(concatBytes([deflateBlocks(changed), deflateBlocks(data.subarray(byteLength)), EOF_MARKER]));
}

/** Returns a file with the reads of some samples. */
async function ofSamples(file: StoredFile, permittedSamples: PermittedSamples): Promise<StoredFile> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamPlan(await planFile(file, { permittedSamples }), file.data)) chunks.push(chunk);
  return toFile(concatBytes(chunks).slice());
}

test.each<[PermittedSamples]>([[['one']], [{ except: ['one'] }], [['none']]])(
  'bins count the reads of the samples %j only',
  async (samples) => {
    const file = await twoSamples();
    const part = await ofSamples(file, samples);
    const restricted = createHandler({ authorize: () => ({ regions: 'all', samples }), resolve: async () => [file] });
    const open = createHandler({ resolve: async () => [part] });
    for (const query of ['bam?referenceName=chr1&bins=40', 'bam?referenceName=chr2&start=1000&end=30000&bins=7']) {
      const found = await fetchBins(restricted, query);
      expect(found).toEqual(await fetchBins(open, query));
      const all = await fetchBins(createHandler({ resolve: async () => [file] }), query);
      expect(Math.max(...(all.max as number[]))).toBeGreaterThan(Math.max(...(found.max as number[])));
    }
    expect((await restricted(new Request(`${BASE}/bam.bw`))).status).toBe(403);
  },
);

test('a region that is too long for exact values is refused', async () => {
  const handler = createHandler({
    authorize: () => ({ regions: 'all', samples: ['synthetic'] }),
    limits: { exactBytes: 1 },
  });
  const response = await handler(new Request(`${BASE}/bam?referenceName=chr1`));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('access is limited to a part of this object');
});
