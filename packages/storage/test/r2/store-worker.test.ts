import { fileURLToPath } from 'node:url';
import { startLocalWorker } from '@htskit/testing/workerd';
import { afterAll, expect, test } from 'vitest';

const entry = fileURLToPath(new URL('store-worker.ts', import.meta.url));
const { url, bucket, dispose } = await startLocalWorker({ entry });
afterAll(dispose);

async function run(operation: string, parameters: Record<string, string | number>): Promise<unknown> {
  const target = new URL(operation, url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, String(value));
  return (await fetch(target)).json();
}

async function sizeOf(key: string): Promise<number | undefined> {
  return (await bucket.head(key))?.size;
}

test.each([0, 1, 100_000, 1_234_567])('puts a stream of %i bytes in workerd', async (bytes) => {
  expect(await run('put', { key: `of-${bytes}`, bytes })).toBe('put');
  expect(await sizeOf(`of-${bytes}`)).toBe(bytes);
});

test('puts a part of a buffer in workerd', async () => {
  expect(await run('put-view', { key: 'view', bytes: 100 })).toBe('put');
  expect(await sizeOf('view')).toBe(100);
});

test.each([
  ['fewer', 500_001, 'INVALID_CONTENT'],
  ['more', 499_999, 'INVALID_CONTENT'],
  ['more, after as many as declared,', 400_000, 'INVALID_CONTENT'],
])('a stream of %s bytes than declared leaves nothing', async (_, size, code) => {
  expect(await run('put', { key: 'none', bytes: 500_000, size })).toBe(code);
  expect(await sizeOf('none')).toBe(undefined);
});

test('chunks that throw leave the old object, and put rejects with their error', async () => {
  await bucket.put('old', Uint8Array.of(1));
  expect(await run('put', { key: 'old', bytes: 250_000, size: 300_000, failure: 'no more' })).toBe('no more');
  expect(await sizeOf('old')).toBe(1);
});

test('a stream that must not replace an object is CHANGED', async () => {
  expect(await run('put', { key: 'once', bytes: 300_000, new: 1 })).toBe('put');
  expect(await run('put', { key: 'once', bytes: 9_000_000, new: 1 })).toBe('CHANGED');
  expect(await sizeOf('once')).toBe(300_000);
});

test('streams in chunks of 256 KiB', async () => {
  await bucket.put('large', new Uint8Array(600_005));
  expect(await run('stream', { key: 'large' })).toEqual([262_144, 262_144, 75_712]);
});
