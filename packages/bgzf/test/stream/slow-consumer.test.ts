import { peek, toOwnedChunks } from '@htskit/io';
import { CHUNK_SIZES, chunksOf, collectSlowly, overwriteChunks } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import {
  BgzfCompressionStream,
  BgzfDecompressionStream,
  BgzfPool,
  BgzfReader,
  deflateBlocks,
  deflateStream,
  EOF_MARKER,
  inflateStream,
  streamCut,
} from '../../src/index.js';
import { joinBytes } from '../build-block.js';
import { memorySource, toStream } from '../memory-source.js';
import { letters } from '../noise.js';

// More than one job of a pool, in blocks much smaller than a chunk of 1 MiB.
const data = letters(600_000);
const blocks: Uint8Array[] = [];
for (let at = 0; at < data.length; at += 9000) blocks.push(deflateBlocks(data.subarray(at, at + 9000), { level: 1 }));
const file = joinBytes([...blocks, EOF_MARKER]);
const deflated = joinBytes([deflateBlocks(data), EOF_MARKER]);
const pool = new BgzfPool({ threads: 2 });
afterAll(() => pool.close());

/** A byte in each chunk is slow: the first ones suffice. */
const sizes = CHUNK_SIZES.filter((size) => size > 1);

describe.each(sizes)('in chunks of %i bytes, a consumer may keep', (size) => {
  const whole = { start: { coffset: 0, uoffset: 100 }, end: { coffset: file.length, uoffset: 0 } };
  const source = memorySource(file, { chunkSize: size });
  test.each<[string, () => AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>, Uint8Array]>([
    ['copies of what a pool inflates', () => toOwnedChunks(pool.inflate(chunksOf(file, size))), data],
    ['what a pool deflates', () => pool.deflate(chunksOf(data, size)), deflated],
    ['what deflateStream yields', () => deflateStream(chunksOf(data, size)), deflated],
    ['what BgzfReader streams', () => new BgzfReader(source).stream({ start: 0, end: data.length }), data],
    [
      'what BgzfDecompressionStream yields',
      () => toStream(chunksOf(file, size)).pipeThrough(new BgzfDecompressionStream()),
      data,
    ],
    [
      'what BgzfCompressionStream yields',
      () => toStream(chunksOf(data, size)).pipeThrough(new BgzfCompressionStream()),
      deflated,
    ],
    [
      'what streamCut yields',
      () => streamCut(source, whole, { level: 1 }),
      joinBytes([deflateBlocks(data.subarray(100, 9000), { level: 1 }), ...blocks.slice(1), EOF_MARKER]),
    ],
  ])('%s', async (_, stream, expected) => {
    expect((await collectSlowly(stream())).equals(expected)).toBe(true);
  });

  test('nothing of what inflateStream yields: it is borrowed', async () => {
    async function* spans(): AsyncGenerator<Uint8Array, void> {
      for await (const span of inflateStream(chunksOf(file, size))) yield peek(span.data);
    }
    await expect(collectSlowly(spans())).rejects.toThrow('was overwritten');
  });
});

test.each(CHUNK_SIZES)('deflates borrowed chunks of %i bytes', async (size) => {
  const some = data.subarray(0, Math.min(data.length, 70_000 * size));
  const expected = Buffer.concat([deflateBlocks(some), EOF_MARKER]);
  for (const deflate of [deflateStream, pool.deflate.bind(pool)]) {
    expect((await collectSlowly(deflate(overwriteChunks(chunksOf(some, size))))).equals(expected)).toBe(true);
  }
});
