import { expect, test } from 'vitest';
import { FairQueue } from '../../src/workers/index.js';

function takeAll<Item>(queue: FairQueue<Item>): Item[] {
  const taken: Item[] = [];
  for (let item = queue.take(() => true); item !== undefined; item = queue.take(() => true)) taken.push(item);
  return taken;
}

test('keys take turns, and the items of a key keep their order', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(item.slice(0, 1), item);
  expect([queue.size, queue.keyCount, queue.count('a'), queue.count('x')]).toEqual([6, 3, 3, 0]);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect([queue.size, queue.keyCount]).toEqual([0, 0]);
});

test('a key without an acceptable item keeps its turn', () => {
  const queue = new FairQueue<number>();
  for (const [key, item] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    queue.add(key, item);
  expect(queue.take((item) => item % 2 === 0)).toBe(2);
  expect(queue.take((item) => item > 9)).toBeUndefined();
  expect(takeAll(queue)).toEqual([1, 3]);
});

test('removes the items of one key', () => {
  const queue = new FairQueue<number>();
  for (const item of [1, 2, 3]) queue.add('a', item);
  queue.add('b', 2);
  expect(queue.remove('a', (item) => item !== 2)).toEqual([1, 3]);
  expect(queue.remove('c', () => true)).toEqual([]);
  expect([queue.size, takeAll(queue)]).toEqual([2, [2, 2]]);
});
