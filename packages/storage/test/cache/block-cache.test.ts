import { expect, test } from 'vitest';
import { BlockCache } from '../../src/cache/block-cache.js';
import { cachedSource } from '../../src/cache/cached-source.js';
import { memorySource } from '../../src/memory.js';
import { SMALL, spy, version } from './spy-source.js';

test('a cache drops what was not used for the longest time, and counts its bytes exactly', async () => {
  const cache = new BlockCache({ ...SMALL, maxBytes: 250 });
  const { source, ranges } = spy();
  const cached = cachedSource(source, cache);
  for (const start of [0, 100, 0, 200]) await cached.read({ start, end: start + 1 }, { version });
  expect(cache.byteLength).toBe(200);
  expect([cache.hitCount, cache.missCount]).toEqual([1, 3]);
  await cached.read({ start: 50, end: 51 }, { version });
  expect(ranges()).toHaveLength(3);
  await cached.read({ start: 150, end: 151 }, { version });
  expect(ranges()).toHaveLength(4);
  expect(cache.byteLength).toBe(200);
});

test('a cache holds the buffers that it counts, and no other bytes', async () => {
  const cache = new BlockCache({ blockBytes: 100, coalesceBytes: 10_000, maxBytes: 10_000 });
  const seen: number[] = [];
  const set = cache.set.bind(cache);
  cache.set = (name, block) => {
    seen.push(block.buffer.byteLength);
    set(name, block);
  };
  await cachedSource(spy().source, cache).read({ start: 9_850, end: 10_050 }, { version });
  expect(seen).toEqual([100, 100, 0]);
  expect(cache.byteLength).toBe(200);
});

test('a cache is shared by sources, and tells their blocks apart', async () => {
  const cache = new BlockCache(SMALL);
  const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)].map((each) => {
    return cachedSource(memorySource(each, { version }), cache);
  });
  for (let turn = 0; turn < 2; turn++) {
    expect(await one?.read({ start: 0, end: 9 }, { version })).toEqual(Uint8Array.of(1));
    expect(await two?.read({ start: 0, end: 9 }, { version })).toEqual(Uint8Array.of(2));
  }
  expect([cache.hitCount, cache.missCount, cache.byteLength]).toEqual([2, 2, 2]);
});

test('a block that replaces another one is counted once', () => {
  const cache = new BlockCache({ maxBytes: 100 });
  for (const length of [60, 50, 101]) cache.set('a', new Uint8Array(length));
  expect(cache.byteLength).toBe(0);
  cache.set('a', new Uint8Array(60));
  cache.set('a', new Uint8Array(50));
  expect(cache.byteLength).toBe(50);
});

test('a cache of no bytes keeps nothing', async () => {
  const { source, reads } = spy();
  const cached = cachedSource(source, { ...SMALL, maxBytes: 0 });
  for (let turn = 0; turn < 2; turn++) await cached.read({ start: 0, end: 1 }, { version });
  expect(reads).toHaveLength(2);
});

test.each([{ maxBytes: -1 }, { blockBytes: 0 }, { blockBytes: 1.5 }, { coalesceBytes: Number.NaN }])(
  'a cache refuses %o',
  (options) => {
    expect(() => new BlockCache(options)).toThrow(RangeError);
  },
);
