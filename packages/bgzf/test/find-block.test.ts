import { expect, test } from 'vitest';
import { deflateBlocks, EOF_MARKER, findBlock } from '../src/index.js';
import { memorySource } from './memory-source.js';
import { noise } from './noise.js';

const blocks = [
  deflateBlocks(noise(60_000)),
  EOF_MARKER,
  deflateBlocks(new Uint8Array(50_000)),
  // Blocks within a stored block: what looks like one by its header alone.
  deflateBlocks(Buffer.concat([EOF_MARKER.subarray(0, 27), noise(3000)]), { level: 0 }),
  EOF_MARKER,
];
const file = new Uint8Array(Buffer.concat(blocks));
const starts = blocks.map((_, rank) => blocks.slice(0, rank).reduce((sum, { length }) => sum + length, 0));

test('finds the next block from anywhere, and none behind the last', async () => {
  const source = memorySource(file);
  for (const from of [...starts, ...starts.map((start) => start + 1), 777, 30_000, file.length - 1]) {
    expect(await findBlock(source, from, { end: file.length })).toBe(starts.find((start) => start >= from));
  }
});

test('stops at the end that it is given', async () => {
  const source = memorySource(file);
  expect(await findBlock(source, 1, { end: starts[1] ?? 0 })).toBeUndefined();
});

test('reads once', async () => {
  const source = memorySource(file);
  await findBlock(source, 5, { end: file.length });
  expect(source.requests).toMatchObject([{ kind: 'read', start: 5, end: file.length }]);
});

test('passes over whole blocks that lie within the data of a stored block', async () => {
  const nested = Buffer.concat(Array.from({ length: 200 }, () => [EOF_MARKER, noise(100)]).flat());
  const hosts = Array.from({ length: 8 }, () => deflateBlocks(nested, { level: 0 }));
  const chain = deflateBlocks(Buffer.concat(Array.from({ length: 2000 }, () => EOF_MARKER)), { level: 0 });
  const pieces = [...hosts, chain, EOF_MARKER];
  const begins = pieces.map((_, rank) => pieces.slice(0, rank).reduce((sum, { length }) => sum + length, 0));
  const source = memorySource(new Uint8Array(Buffer.concat(pieces)));
  const end = Buffer.concat(pieces).length;
  for (let from = 1; from < end; from += 4999) {
    expect(await findBlock(source, from, { end })).toBe(begins.find((begin) => begin >= from));
  }
});
