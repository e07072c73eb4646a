import { expect, test } from 'vitest';
import { FileCache } from '../../src/source/file-cache.js';
import { PieceCache } from '../../src/stored/piece-cache.js';

/** Returns a function that reads parts of a length, and the parts that were decoded for it. */
function openCache(maxBytes?: number): {
  read: (part: string, length?: number) => Promise<number[]>;
  decoded: string[];
} {
  const cache = new PieceCache(new FileCache(maxBytes));
  const decoded: string[] = [];
  const read = async (part: string, length = 10): Promise<number[]> => {
    const lengths: number[] = [];
    async function* decode(): AsyncGenerator<Uint8Array, void> {
      decoded.push(part);
      yield new Uint8Array(length);
      yield new Uint8Array(1);
    }
    for await (const piece of cache.read(part, decode)) lengths.push(piece.length);
    return lengths;
  };
  return { read, decoded };
}

test('decodes a part once', async () => {
  const { read, decoded } = openCache();
  expect(await read('a')).toEqual([10, 1]);
  expect(await read('a')).toEqual([10, 1]);
  expect(decoded).toEqual(['a']);
});

test('drops the part that was not read for the longest time', async () => {
  const { read, decoded } = openCache(48);
  for (const part of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) await read(part);
  expect(decoded).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});

test('yields a part over the budget, and does not keep it', async () => {
  const { read, decoded } = openCache(100);
  await read('a');
  expect(await read('b', 30)).toEqual([30, 1]);
  expect(await read('b', 30)).toEqual([30, 1]);
  await read('a');
  expect(decoded).toEqual(['a', 'b', 'b']);
});

test('does not keep a part that was not read to its end', async () => {
  const cache = new PieceCache(new FileCache());
  const decoded: string[] = [];
  async function* decode(): AsyncGenerator<Uint8Array, void> {
    decoded.push('a');
    yield new Uint8Array(1);
    yield new Uint8Array(2);
  }
  for await (const _ of cache.read('a', decode)) break;
  const lengths: number[] = [];
  for await (const piece of cache.read('a', decode)) lengths.push(piece.length);
  expect(lengths).toEqual([1, 2]);
  expect(decoded).toEqual(['a', 'a']);
});
