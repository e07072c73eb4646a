import type { SharedCache } from '@htskit/catalogue/internal';
import { concatBytes, type ObjectStore, StorageError } from '@htskit/io';
import { memoryStore } from '@htskit/storage/memory';
import { checkMutations } from '@htskit/testing';
import { beforeEach, expect, test } from 'vitest';
import { type SharedCacheOptions, storedCache } from '../../../src/runtime/service/shared-cache.js';

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const OTHER_KEY = KEY.map((byte) => byte ^ 1);
const CONTENT = Uint8Array.from({ length: 1000 }, (_, index) => index * 7);

let store: ObjectStore;
let logged: string[];

beforeEach(() => {
  store = memoryStore();
  logged = [];
});

function openCache(options: Partial<SharedCacheOptions> = {}, from = store): SharedCache {
  return storedCache(from, { signingKeys: [KEY], log: (message) => logged.push(message), ...options });
}

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  return keys;
}

/** Returns the stored bytes of a name that is saved now, and their key. */
async function saveOne(name: string): Promise<{ readonly key: string; readonly bytes: Uint8Array }> {
  const before = await storedKeys();
  await openCache().save(name, CONTENT);
  const [key = ''] = (await storedKeys()).filter((each) => !before.includes(each));
  return { key, bytes: await store.source(key).read({ start: 0, end: 2000 }) };
}

test('another replica with the same key loads what was saved', async () => {
  await openCache().save('a', CONTENT);
  expect(await openCache().load('a')).toEqual(CONTENT);
  expect(await openCache().load('b')).toBeUndefined();
});

test('what is damaged, truncated or longer counts as missing', async () => {
  const { key, bytes } = await saveOne('a');
  const { refused } = await checkMutations(bytes, {
    seed: 42,
    count: 300,
    async check(damaged) {
      await store.put(key, damaged);
      const loaded = await openCache().load('a');
      expect(loaded !== undefined).toBe(Buffer.compare(damaged, bytes) === 0);
      return loaded !== undefined;
    },
  });
  expect(refused).toBeGreaterThan(250);
  for (const length of [0, 11, 12, 27, 28, 29, bytes.length - 1]) {
    await store.put(key, bytes.subarray(0, length));
    expect(await openCache().load('a')).toBeUndefined();
  }
  await store.put(key, concatBytes([bytes, Uint8Array.of(0)]));
  expect(await openCache().load('a')).toBeUndefined();
  expect(logged).toEqual([]);
});

test('each byte of long content counts', async () => {
  const content = new Uint8Array(9 * 2 ** 20);
  await openCache().save('a', content);
  const [key = ''] = await storedKeys();
  const bytes = await store.source(key).read({ start: 0, end: 2 * content.length });
  expect(await openCache().load('a')).toEqual(content);
  for (let at = bytes.length - 1; at >= 0; at -= 2 ** 20) {
    await store.put(key, bytes.with(at, 1));
    expect(await openCache().load('a')).toBeUndefined();
  }
});

test('no two saves have the same nonce, which would reveal the key', async () => {
  const { key, bytes } = await saveOne('a');
  await openCache().save('a', CONTENT);
  const again = await store.source(key).read({ start: 0, end: 12 });
  expect(again).not.toEqual(bytes.slice(0, 12));
});

test('an object under the name of another one, or of a writer without the key, counts as missing', async () => {
  const [first, second] = [await saveOne('a'), await saveOne('b')];
  await store.put(second.key, first.bytes);
  expect(await openCache().load('b')).toBeUndefined();
  await openCache({ signingKeys: [OTHER_KEY] }).save('b', CONTENT);
  expect(await openCache().load('b')).toBeUndefined();
});

test('a replaced key is accepted until it is removed', async () => {
  await openCache({ signingKeys: [OTHER_KEY] }).save('a', CONTENT);
  expect(await openCache({ signingKeys: [KEY, OTHER_KEY] }).load('a')).toEqual(CONTENT);
  expect(await openCache({ signingKeys: [KEY] }).load('a')).toBeUndefined();
});

test('a store that fails is logged once for reads and once for writes, and is left alone for ten seconds', async () => {
  let requests = 0;
  let now = 0;
  const fail = (): never => {
    requests++;
    throw new StorageError('ACCESS_DENIED', 'access denied', { key: 'a' });
  };
  const failing: ObjectStore = { source: fail, put: fail, list: fail, delete: fail };
  const cache = openCache({ now: () => now }, failing);
  await cache.load('a');
  await cache.load('a');
  await cache.save('a', CONTENT);
  expect(requests).toBe(1);
  now += 10_000;
  await cache.save('a', CONTENT);
  now += 10_000;
  await cache.load('a');
  expect(requests).toBe(3);
  expect(logged).toEqual(['cannot read from sharedCache: access denied', 'cannot write to sharedCache: access denied']);
});
