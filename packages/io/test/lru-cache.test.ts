import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LruCache } from '../src/index.js';

test('evicts the least recently used entries beyond the maximum weight', () => {
  const cache = new LruCache<string>({ maxWeight: 10 });
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  expect(cache.weight).toBe(8);
});

test('does not keep a value heavier than the maximum, nor evict others for it', () => {
  const cache = new LruCache<string>({ maxWeight: 10 });
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 11);
  expect([cache.get('a'), cache.get('b')]).toEqual(['A', undefined]);
});

test('replaces a value together with its weight', () => {
  const cache = new LruCache<string>({ maxWeight: 10 });
  cache.set('a', 'A', 9);
  cache.set('a', 'B', 2);
  expect(cache.weight).toBe(2);
  cache.delete('a');
  expect(cache.weight).toBe(0);
});

test('shares one load between concurrent callers and reports lookups', async () => {
  const lookups: boolean[] = [];
  const cache = new LruCache<number | undefined>({ maxWeight: 10, onLookup: (isHit) => lookups.push(isHit) });
  let loads = 0;
  const load = async (): Promise<{ value: undefined; weight: number }> => {
    loads++;
    return { value: undefined, weight: 1 };
  };
  await Promise.all([cache.load('a', load), cache.load('a', load)]);
  await cache.load('a', load);
  expect(loads).toBe(1);
  expect(lookups).toEqual([false, true, true]);
});

test('forgets a load that fails', async () => {
  const cache = new LruCache<number>({ maxWeight: 10 });
  await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.load('a', async () => ({ value: 1, weight: 1 }))).toBe(1);
});

test('expires entries after their time to live', () => {
  let now = 0;
  const cache = new LruCache<number>({ maxWeight: 10, ttlMilliseconds: 100, now: () => now });
  cache.set('a', 1);
  now = 99;
  expect(cache.get('a')).toBe(1);
  now = 100;
  expect(cache.get('a')).toBeUndefined();
  expect(cache.weight).toBe(0);
});

describe('a cache that idles away', () => {
  beforeEach(() => void vi.useFakeTimers());
  // A spy on a function of the fake timers would restore that function, were it restored after them.
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  const open = (): LruCache<number> => new LruCache<number>({ maxWeight: 10, idleMilliseconds: 800 });

  test('drops what was not used for that time, and keeps the rest', () => {
    const cache = open();
    cache.set('a', 1);
    cache.set('b', 2);
    vi.advanceTimersByTime(500);
    expect(cache.get('a')).toBe(1);
    vi.advanceTimersByTime(400);
    expect(Array.from(cache.keys())).toEqual(['a']);
    vi.advanceTimersByTime(500);
    expect(cache.weight).toBe(0);
  });

  test('has no timer if it holds nothing', () => {
    const cache = open();
    expect(vi.getTimerCount()).toBe(0);
    cache.set('heavy', 1, 11);
    expect(vi.getTimerCount()).toBe(0);
    cache.set('a', 1);
    cache.set('b', 1);
    expect(vi.getTimerCount()).toBe(1);
    cache.delete('a');
    cache.delete('b');
    expect(vi.getTimerCount()).toBe(0);
    cache.set('a', 1);
    vi.advanceTimersByTime(2000);
    expect([cache.weight, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('calls back rarely while many entries are used', () => {
    const cache = open();
    const wakeUps = vi.fn<() => void>();
    const { setTimeout: start } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, milliseconds: number) =>
      start(() => {
        wakeUps();
        callback();
      }, milliseconds)) as typeof setTimeout);
    for (let i = 0; i < 1600; i++) {
      cache.set(String(i % 10), i);
      vi.advanceTimersByTime(1);
    }
    expect(cache.weight).toBe(10);
    expect(wakeUps.mock.calls.length).toBeLessThanOrEqual(16);
  });

  test('drops unused entries with the next value if the runtime has dropped the timer', () => {
    const cache = open();
    cache.set('a', 1);
    vi.clearAllTimers();
    vi.advanceTimersByTime(900);
    cache.set('b', 2);
    expect(Array.from(cache.keys())).toEqual(['b']);
    vi.advanceTimersByTime(900);
    expect(cache.weight).toBe(0);
  });
});
