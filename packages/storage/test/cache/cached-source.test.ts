import { createRandom, deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { BlockCache } from '../../src/cache/block-cache.js';
import { cachedSource } from '../../src/cache/cached-source.js';
import { memorySource } from '../../src/memory.js';
import { bytes, SMALL, spy, version } from './spy-source.js';

describe('what is read', () => {
  test('whole blocks are, and each of them once', async () => {
    const { source, ranges } = spy();
    const cached = cachedSource(source, SMALL);
    expect(await cached.read({ start: 150, end: 250 }, { version })).toEqual(bytes.slice(150, 250));
    expect(await cached.read({ start: 199, end: 201 }, { version })).toEqual(bytes.slice(199, 201));
    expect(await cached.read({ start: 299, end: 301 }, { version })).toEqual(bytes.slice(299, 301));
    expect(ranges()).toEqual([
      [100, 300],
      [300, 400],
    ]);
  });

  test('blocks that several ask for at once are read once', async () => {
    const gate = deferred();
    const { source, ranges } = spy(gate.promise);
    const cached = cachedSource(source, SMALL);
    const first = cached.read({ start: 0, end: 10 }, { version });
    await Promise.resolve();
    const others = [cached.read({ start: 5, end: 20 }, { version }), cached.read({ start: 90, end: 110 }, { version })];
    gate.resolve();
    expect(await Promise.all([first, ...others])).toEqual([
      bytes.slice(0, 10),
      bytes.slice(5, 20),
      bytes.slice(90, 110),
    ]);
    expect(ranges()).toEqual([
      [0, 100],
      [100, 200],
    ]);
  });

  test('neighbours that are requested at the same time are read together', async () => {
    const { source, ranges } = spy();
    const cached = cachedSource(source, { ...SMALL, coalesceBytes: 200 });
    const starts = [950, 0, 310, 120, 900];
    const reads = await Promise.all(starts.map((start) => cached.read({ start, end: start + 20 }, { version })));
    expect(reads).toEqual(starts.map((start) => bytes.slice(start, start + 20)));
    // Between 400 and 900 lies more than 200; block 2 lies between, and is kept as well.
    expect(ranges()).toEqual([
      [0, 400],
      [900, 1_000],
    ]);
    expect(await cached.read({ start: 250, end: 260 }, { version })).toEqual(bytes.slice(250, 260));
    expect(ranges()).toHaveLength(2);
  });

  test('large reads, and those of no certain version, go past the cache', async () => {
    const cache = new BlockCache(SMALL);
    const { source, ranges } = spy();
    const cached = cachedSource(source, cache);
    expect(await cached.read({ start: 50, end: 851 }, { version })).toEqual(bytes.slice(50, 851));
    expect(await cached.read({ start: 1, end: 2 })).toEqual(bytes.slice(1, 2));
    await cached.stream({ start: 0, end: 9_000 }, { version }).cancel();
    expect(ranges()).toEqual([
      [50, 851],
      [1, 2],
      [0, 9_000],
    ]);
    expect(cache.byteLength).toBe(0);
  });

  test('small streams are cached', async () => {
    const { source, ranges } = spy();
    const cached = cachedSource(source, SMALL);
    for (let turn = 0; turn < 2; turn++) {
      const stream = cached.stream({ start: 10, end: 120 }, { version });
      expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(bytes.slice(10, 120));
    }
    expect(ranges()).toEqual([[0, 200]]);
  });
});

describe('versions', () => {
  test('are never mixed, whatever is requested in whatever order', async () => {
    const random = createRandom(7);
    const below = (limit: number): number => Math.floor(random() * limit);
    const other = bytes.map((byte) => byte ^ 0xff);
    let current = 'v1';
    const { source } = spy(Promise.resolve(), {
      ...memorySource(bytes),
      read: async (range, options) => {
        await Promise.resolve();
        return memorySource(current === 'v1' ? bytes : other, { version: current }).read(range, options);
      },
    });
    const cached = cachedSource(source, { ...SMALL, coalesceBytes: 300 });
    let compared = 0;
    const readOne = async (): Promise<void> => {
      const start = below(10_000);
      const range = { start, end: start + below(300) };
      const wanted = random() < 0.5 ? 'v1' : 'v2';
      if (random() < 0.1) current = current === 'v1' ? 'v2' : 'v1';
      const read = await cached.read(range, { version: wanted }).catch(() => undefined);
      if (read === undefined) return;
      compared++;
      const expected = (wanted === 'v1' ? bytes : other).slice(range.start, range.end);
      if (!Buffer.from(expected).equals(read)) throw new Error(`${wanted} [${range.start}, ${range.end}) is wrong`);
    };
    for (let turn = 0; turn < 300; turn++) await Promise.all([readOne(), readOne(), readOne()]);
    expect(compared).toBeGreaterThan(300);
  });

  test('a version that is gone is CHANGED, and nothing is kept of it', async () => {
    const cache = new BlockCache(SMALL);
    const cached = cachedSource(spy().source, cache);
    for (let turn = 0; turn < 2; turn++) {
      await expect(cached.read({ start: 0, end: 1 }, { version: 'v2' })).rejects.toMatchObject({ code: 'CHANGED' });
    }
    expect(cache.byteLength).toBe(0);
  });
});

describe('signals', () => {
  const range = { start: 0, end: 10 };

  test('one who gives up does not disturb the others', async () => {
    const gate = deferred();
    const { source, reads } = spy(gate.promise);
    const cached = cachedSource(source, SMALL);
    const controller = new AbortController();
    const first = cached.read(range, { version, signal: controller.signal });
    const second = cached.read(range, { version });
    await Promise.resolve();
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    gate.resolve();
    expect(await second).toEqual(bytes.slice(0, 10));
    expect(reads).toHaveLength(1);
    expect(reads[0]?.options?.signal?.aborted).toBe(false);
  });

  test('one who gives up does not disturb those whose blocks are read together with theirs', async () => {
    const gate = deferred();
    const { source, ranges } = spy(gate.promise);
    const cached = cachedSource(source, { ...SMALL, coalesceBytes: 100 });
    const controller = new AbortController();
    const first = cached.read(range, { version, signal: controller.signal });
    const second = cached.read({ start: 100, end: 110 }, { version });
    await Promise.resolve();
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    const third = cached.read(range, { version });
    gate.resolve();
    expect(await Promise.all([second, third])).toEqual([bytes.slice(100, 110), bytes.slice(0, 10)]);
    expect(ranges()).toEqual([[0, 200]]);
  });

  test('what was given up is read again although other blocks are being read', async () => {
    const gate = deferred();
    const { source, ranges } = spy(gate.promise);
    const cached = cachedSource(source, SMALL);
    const controller = new AbortController();
    const other = cached.read({ start: 500, end: 510 }, { version });
    const first = cached.read(range, { version, signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    const later = cached.read(range, { version });
    gate.resolve();
    expect(await Promise.all([other, later])).toEqual([bytes.slice(500, 510), bytes.slice(0, 10)]);
    expect(ranges()).toEqual([
      [0, 100],
      [500, 600],
      [0, 100],
    ]);
  });

  test('a read without waiting callers is aborted, and repeated for later ones', async () => {
    const gate = deferred();
    const { source, reads } = spy(gate.promise);
    const cached = cachedSource(source, SMALL);
    const controller = new AbortController();
    const read = cached.read(range, { version, signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
    expect(reads[0]?.options?.signal?.aborted).toBe(true);
    const later = cached.read(range, { version });
    gate.resolve();
    expect(await later).toEqual(bytes.slice(0, 10));
    expect(reads).toHaveLength(2);
  });
});

test('a stream that is cancelled gives up what is read for it', async () => {
  const gate = deferred();
  const { source, reads } = spy(gate.promise);
  const reader = cachedSource(source, SMALL).stream({ start: 0, end: 10 }, { version }).getReader();
  const pending = reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  await reader.cancel();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(reads[0]?.options?.signal?.aborted).toBe(true);
  gate.resolve();
});

test('a failure reaches all who wait for it, and the next one tries again', async () => {
  let isBroken = true;
  const failure = new Error('broken');
  const { source, reads } = spy(Promise.resolve(), {
    ...memorySource(bytes),
    read: async (range, options) => {
      if (isBroken) throw failure;
      return memorySource(bytes, { version }).read(range, options);
    },
  });
  const cached = cachedSource(source, SMALL);
  const both = [0, 150].map((start) => cached.read({ start, end: start + 1 }, { version }));
  for (const read of both) await expect(read).rejects.toBe(failure);
  expect(reads).toHaveLength(1);
  isBroken = false;
  expect(await cached.read({ start: 0, end: 1 }, { version })).toEqual(bytes.slice(0, 1));
});

test('the cached bytes do not change with those that were given', async () => {
  const cached = cachedSource(spy().source, SMALL);
  (await cached.read({ start: 0, end: 100 }, { version })).fill(0);
  expect(await cached.read({ start: 0, end: 100 }, { version })).toEqual(bytes.slice(0, 100));
});
