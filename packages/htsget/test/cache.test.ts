import { expect, test, vi } from 'vitest';
import { LoadingCache, type Sized } from '../src/cache.js';

const load = (value: string, byteLength: number) =>
  vi.fn<() => Promise<Sized<string>>>(async () => ({ value, byteLength }));

test('loads a key once, also for callers who ask while it loads', async () => {
  const cache = new LoadingCache<string>(100);
  const loadA = load('a', 1);
  expect(await Promise.all([cache.get('a', loadA), cache.get('a', loadA)])).toEqual(['a', 'a']);
  expect(await cache.get('a', loadA)).toBe('a');
  expect(loadA).toHaveBeenCalledTimes(1);
});

test('forgets the least recently used keys beyond its bytes', async () => {
  const cache = new LoadingCache<string>(100);
  const loads = { a: load('a', 40), b: load('b', 40), c: load('c', 40) };
  await cache.get('a', loads.a);
  await cache.get('b', loads.b);
  await cache.get('a', loads.a);
  await cache.get('c', loads.c);
  await cache.get('a', loads.a);
  await cache.get('b', loads.b);
  expect([loads.a, loads.b, loads.c].map((fn) => fn.mock.calls.length)).toEqual([1, 2, 1]);
});

test('gives but does not keep a value larger than the cache', async () => {
  const cache = new LoadingCache<string>(100);
  const big = load('big', 101);
  expect(await cache.get('big', big)).toBe('big');
  expect(await cache.get('big', big)).toBe('big');
  expect(big).toHaveBeenCalledTimes(2);
});

test('keeps the others when a value is larger than the cache', async () => {
  const cache = new LoadingCache<string>(100);
  const loadA = load('a', 60);
  await cache.get('a', loadA);
  await cache.get('big', load('big', 101));
  await cache.get('a', loadA);
  expect(loadA).toHaveBeenCalledTimes(1);
});

test('keeps nothing without a key', async () => {
  const cache = new LoadingCache<string>(100);
  const loadA = load('a', 1);
  expect([await cache.get(undefined, loadA), await cache.get(undefined, loadA)]).toEqual(['a', 'a']);
  expect(loadA).toHaveBeenCalledTimes(2);
});

test('tells every waiting caller of a failure, and tries again for the next', async () => {
  const cache = new LoadingCache<string>(100);
  const failing = vi.fn<() => Promise<Sized<string>>>(async () => Promise.reject(new Error('no')));
  const results = await Promise.allSettled([cache.get('a', failing), cache.get('a', failing)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  expect(await cache.get('a', load('a', 1))).toBe('a');
});
