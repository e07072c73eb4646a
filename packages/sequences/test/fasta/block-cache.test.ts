import { expect, test } from 'vitest';
import { BlockCache } from '../../src/fasta/block-cache.js';

/** Loads blocks of one byte, the coffset, and notes what it loaded. */
function loader() {
  const loaded: number[] = [];
  const load = (coffset: number) => () => {
    loaded.push(coffset);
    return Promise.resolve(Uint8Array.of(coffset));
  };
  return { loaded, load };
}

test('a block that is here is not loaded again', async () => {
  const { loaded, load } = loader();
  const cache = new BlockCache(2);
  expect(await cache.get(1, load(1))).toEqual(Uint8Array.of(1));
  expect(await cache.get(1, load(1))).toEqual(Uint8Array.of(1));
  expect(loaded).toEqual([1]);
});

test('a block that is being loaded is not loaded again', async () => {
  const { loaded, load } = loader();
  const cache = new BlockCache(2);
  const [first, second] = await Promise.all([cache.get(1, load(1)), cache.get(1, load(1))]);
  expect(first).toBe(second);
  expect(loaded).toEqual([1]);
});

test('the block that was asked for longest ago makes room', async () => {
  const { loaded, load } = loader();
  const cache = new BlockCache(2);
  for (const coffset of [1, 2, 1, 3, 1, 2]) await cache.get(coffset, load(coffset));
  expect(loaded).toEqual([1, 2, 3, 2]);
});

test('a cache of no blocks loads each time', async () => {
  const { loaded, load } = loader();
  const cache = new BlockCache(0);
  for (const coffset of [1, 1]) expect(await cache.get(coffset, load(coffset))).toEqual(Uint8Array.of(coffset));
  expect(loaded).toEqual([1, 1]);
});

test('a failure is not kept', async () => {
  const { load } = loader();
  const cache = new BlockCache(2);
  const failure = new Error('lost');
  await expect(cache.get(1, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await cache.get(1, load(1))).toEqual(Uint8Array.of(1));
});
