import { parseCramHeader } from '@htskit/formats';
import { createRandom, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { ChunkReader, readContainers } from '../../src/stored/cram-containers.js';

/** Yields chunks of random sizes up to `maxBytes`, each in the memory of the one before. */
async function* borrowedChunks(bytes: Uint8Array, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  const random = createRandom(3);
  const memory = new Uint8Array(maxBytes);
  for (let at = 0; at < bytes.length; ) {
    const part = bytes.subarray(at, at + 1 + Math.floor(random() * maxBytes));
    memory.fill(0xff);
    memory.set(part);
    yield memory.subarray(0, part.length);
    at += part.length;
  }
}

async function containersOf(bytes: Uint8Array, chunks: AsyncGenerator<Uint8Array, void>): Promise<string[]> {
  const { version } = parseCramHeader(bytes);
  const containers: string[] = [];
  for await (const { header, blocks, offset } of readContainers(new ChunkReader(chunks), version)) {
    containers.push(`${offset} ${header.recordCount} ${Buffer.from(blocks).toString('hex')}`);
  }
  return containers;
}

describe('containers', () => {
  test.each([1, 7, 1000, 50_000])(
    'are those of the file if chunks of up to %s bytes share memory',
    async (maxBytes) => {
      const bytes = readFixture('reads.cram').subarray(26);
      const whole = await containersOf(readFixture('reads.cram'), borrowedChunks(bytes, bytes.length));
      expect(whole.length).toBeGreaterThan(2);
      expect(await containersOf(readFixture('reads.cram'), borrowedChunks(bytes, maxBytes))).toEqual(whole);
    },
  );

  test('that are cut off are truncated', async () => {
    const bytes = readFixture('reads.cram').subarray(26);
    const cut = borrowedChunks(bytes.subarray(0, bytes.length - 60), 500);
    await expect(containersOf(readFixture('reads.cram'), cut)).rejects.toMatchObject({ code: 'TRUNCATED' });
  });
});
