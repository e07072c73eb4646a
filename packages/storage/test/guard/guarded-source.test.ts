import { type ByteSource, type ObjectStore, readChunks } from '@htskit/io';
import { byteSourceContract, deferred } from '@htskit/testing';
import { expect, test } from 'vitest';
import { guardedSource, guardedStore } from '../../src/guard/guarded-source.js';
import { StoreGuard } from '../../src/guard/store-guard.js';
import { memorySource, memoryStore } from '../../src/memory.js';

byteSourceContract(
  'guardedSource',
  (bytes) => ({ source: guardedSource(memorySource(bytes, { version: 'v1' }), new StoreGuard('memory')) }),
  { without: ['missing', 'replace', 'bytesRead'] },
);

const RANGE = { start: 0, end: 4 };

/** A guard whose only place is taken until the result is called. */
function occupied(): { readonly guard: StoreGuard; readonly release: () => void } {
  const guard = new StoreGuard('memory', { concurrency: 1 });
  const { promise, resolve } = deferred<void>();
  void guard.wait(() => promise);
  return { guard, release: () => resolve() };
}

test.each<[string, (source: ByteSource) => Promise<unknown>]>([
  ['stat', (source) => source.stat()],
  ['read', (source) => source.read(RANGE)],
  ['the first chunk of a stream', (source) => readChunks(source.stream(RANGE)).next()],
])('%s waits in the place of its guard', async (_, run) => {
  const { guard, release } = occupied();
  const source = guardedSource(memorySource(new Uint8Array(4)), guard);
  await expect(run(source)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  release();
  await Promise.resolve();
  await expect(run(source)).resolves.toBeDefined();
  expect(guard.waitingCount).toBe(0);
});

test('a stream that has begun takes no place, however slowly it is read', async () => {
  const guard = new StoreGuard('memory', { concurrency: 1 });
  const bytes = new Uint8Array(2 ** 20);
  const source = guardedSource(memorySource(bytes), guard);
  const chunks = readChunks(source.stream({ start: 0, end: bytes.length }));
  await chunks.next();
  expect(guard.waitingCount).toBe(0);
  expect(await source.read(RANGE)).toHaveLength(4);
  let byteLength = 0;
  for await (const chunk of chunks) byteLength += chunk.length;
  expect(byteLength).toBe(2 ** 20 - 2 ** 18);
});

async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  return keys;
}

test('the sources of a guarded store are guarded, and its other functions are those of the store', async () => {
  const { guard } = occupied();
  const store = guardedStore(memoryStore(), guard);
  await store.put('a', new Uint8Array(1));
  expect(await keysOf(store)).toEqual(['a']);
  await expect(store.source('a').stat()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await store.delete('a');
  expect(await keysOf(store)).toEqual([]);
});
