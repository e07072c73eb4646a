import { describe, expect, test } from 'vitest';
import { CHUNK_SIZES, chunksOf, collectSlowly, KeptChunks, overwriteChunks } from '../../src/index.js';

const bytes = Uint8Array.from({ length: 3000 }, (_, at) => at);

describe('overwriteChunks', () => {
  test.each(CHUNK_SIZES)('leaves a consumer that copies chunks of %i bytes in time the bytes', async (size) => {
    const copies: Uint8Array[] = [];
    for await (const chunk of overwriteChunks(chunksOf(bytes, size))) copies.push(chunk.slice());
    expect(Buffer.concat(copies).equals(bytes)).toBe(true);
  });

  test('overwrites what a consumer keeps, also after it stops', async () => {
    const kept: Uint8Array[] = [];
    for await (const chunk of overwriteChunks(chunksOf(bytes, 1000))) if (kept.push(chunk) === 2) break;
    expect(kept.map((chunk) => new Set(chunk))).toEqual([new Set([0xa5]), new Set([0xa5])]);
  });
});

describe('collectSlowly', () => {
  test('returns the bytes of an iteration, a list and a stream', async () => {
    const list: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunksOf(bytes, 1021)) list.push(chunk);
    expect((await collectSlowly(list)).equals(bytes)).toBe(true);
    expect((await collectSlowly(chunksOf(bytes, 1))).equals(bytes)).toBe(true);
    expect((await collectSlowly(new Blob(list).stream())).equals(bytes)).toBe(true);
  });

  test('throws if a chunk changes after it was given away', async () => {
    await expect(collectSlowly(overwriteChunks(chunksOf(bytes, 1000)))).rejects.toThrow(
      'the chunk of 1000 bytes at byte 0 was overwritten',
    );
  });
});

test('KeptChunks throws if the memory of a chunk is taken away', () => {
  const kept = new KeptChunks();
  const chunk = new Uint8Array(2);
  kept.add(chunk);
  structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
  expect(() => kept.bytes()).toThrow('overwritten');
});
