import { deferred } from '@htskit/testing';
import { expect, test } from 'vitest';
import { mapInOrder } from '../src/map-in-order.js';

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

async function* count(end: number): AsyncGenerator<number, void> {
  for (let value = 0; value < end; value += 1) yield value;
}

test('yields results in the order of the items, however long each takes', async () => {
  const delays = [5, 1, 4, 0, 3];
  const run = async (item: number): Promise<number> => {
    for (let turn = 0; turn < (delays[item % 5] ?? 0); turn += 1) await Promise.resolve();
    return item * 10;
  };
  expect(await toArray(mapInOrder(count(50), { run, ahead: 3 }))).toEqual(Array.from({ length: 50 }, (_, i) => i * 10));
});

test('runs no more than `ahead` items at a time', async () => {
  let inProgress = 0;
  let most = 0;
  const run = async (item: number): Promise<number> => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    inProgress -= 1;
    return item;
  };
  await toArray(mapInOrder(count(50), { run, ahead: 3 }));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(3);
});

test('yields a result without waiting for the next item', async () => {
  const stalled = deferred<number>();
  async function* live(): AsyncGenerator<number, void> {
    yield 1;
    yield await stalled.promise;
  }
  const results = mapInOrder(live(), { run: (item) => Promise.resolve(item), ahead: 5 });
  expect(await results.next()).toEqual({ done: false, value: 1 });
  stalled.resolve(2);
  expect(await toArray(results)).toEqual([2]);
});

test('a caller who stops early does not wait for the next item, and the items are returned', async () => {
  const stalled = deferred<number>();
  const stopped = deferred<undefined>();
  async function* live(): AsyncGenerator<number, void> {
    try {
      yield 1;
      yield await stalled.promise;
    } finally {
      stopped.resolve(undefined);
    }
  }
  const results = mapInOrder(live(), { run: (item) => Promise.resolve(item), ahead: 5 });
  await results.next();
  await results.return();
  stalled.resolve(2);
  expect(await stopped.promise).toBeUndefined();
});

test('an error of the items follows the results of the items before', async () => {
  async function* failing(): AsyncGenerator<number, void> {
    yield* count(3);
    throw new RangeError('no more');
  }
  const seen: number[] = [];
  const run = async () => {
    const results = mapInOrder(failing(), { run: (item) => Promise.resolve(item), ahead: 5 });
    for await (const result of results) seen.push(result);
  };
  await expect(run()).rejects.toThrow('no more');
  expect(seen).toEqual([0, 1, 2]);
});

test('a failed run throws in the place of its result', async () => {
  const run = (item: number): Promise<number> =>
    item === 2 ? Promise.reject(new RangeError('not this one')) : Promise.resolve(item);
  const results = mapInOrder(count(50), { run, ahead: 5 });
  expect((await results.next()).value).toBe(0);
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow('not this one');
});

test('adds no item while those in progress weigh more than the maximum', async () => {
  let inProgress = 0;
  let most = 0;
  const run = async (item: number): Promise<number> => {
    inProgress += item;
    most = Math.max(most, inProgress);
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    inProgress -= item;
    return item;
  };
  const results = await toArray(mapInOrder(count(20), { run, ahead: 8, weigh: (item) => item, maxWeight: 10 }));
  expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i));
  // Above the maximum by one item, of at most 19.
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(29);
});
