import { createRandom } from '@htskit/testing';
import { expect, test } from 'vitest';
import { inOrder } from '../../src/htsget/in-order.js';

/** Chunks of random lengths whose bytes are those of the item. */
async function* chunksOf(
  item: number,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Uint8Array, void> {
  const random = createRandom(item);
  const count = Math.floor(random() * 5);
  for (let rank = 0; rank < count; rank++) {
    for (let turns = Math.floor(random() * 10); turns > 0; turns--) await Promise.resolve();
    const chunk = new Uint8Array(1 + Math.floor(random() * 20)).fill(item);
    onRead(chunk.length);
    yield chunk;
  }
}

const ITEMS = Array.from({ length: 100 }, (_, item) => item);

test.each([
  [1, 1],
  [3, 10],
  [8, 1],
  [200, 1_000_000],
])('%i sources at once, with %i bytes ahead, give their chunks in order', async (concurrency, bytesAhead) => {
  const found: number[] = [];
  const ends: number[] = [];
  for await (const { item, chunk } of inOrder(ITEMS, chunksOf, { concurrency, bytesAhead })) {
    if (chunk === undefined) ends.push(item);
    else found.push(...chunk);
  }
  const expected: number[] = [];
  for (const item of ITEMS) for await (const chunk of chunksOf(item)) expected.push(...chunk);
  expect(ends).toEqual(ITEMS);
  expect(found).toEqual(expected);
});

test('no more than the bytes ahead are held, and one chunk of each source', async () => {
  let read = 0;
  let given = 0;
  let most = 0;
  const open = (item: number): AsyncGenerator<Uint8Array, void> =>
    chunksOf(item, (bytes) => {
      read += bytes;
      most = Math.max(most, read - given);
    });
  for await (const { chunk } of inOrder(ITEMS, open, { concurrency: 4, bytesAhead: 30 })) {
    given += chunk?.length ?? 0;
    for (let turns = 0; turns < 50; turns++) await Promise.resolve();
  }
  expect(most).toBeGreaterThanOrEqual(30);
  expect(most).toBeLessThanOrEqual(30 + 5 * 20);
});

test('the failure of a source is thrown once all sources before it are delivered', async () => {
  const found: number[] = [];
  async function* open(item: number): AsyncGenerator<Uint8Array, void> {
    if (item === 2) throw new Error('failed');
    yield Uint8Array.of(item);
  }
  const reading = (async () => {
    for await (const { chunk } of inOrder(ITEMS, open, { concurrency: 4, bytesAhead: 100 }))
      found.push(...(chunk ?? []));
  })();
  await expect(reading).rejects.toThrow('failed');
  expect(found).toEqual([0, 1]);
});
