import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BgzfBlock, EOF_MARKER, streamBlocks } from '../src/index.js';
import { ascii, BC, buildBlock, buildFile, joinBytes } from './build-block.js';
import { chunked, toArray } from './memory-source.js';

const small = buildFile([ascii('first'), new Uint8Array(0), ascii('third')]);
const wide = buildBlock({ data: ascii('wide'), extra: [0x58, 0x59, 40, 0, ...new Array<number>(40).fill(1), ...BC] });
const bytes = joinBytes([small.bytes, wide, EOF_MARKER, buildBlock({ data: ascii('A'.repeat(60_000)) })]);

function blocksOf(chunks: AsyncIterable<Uint8Array>, coffset = 0): Promise<BgzfBlock[]> {
  return toArray(streamBlocks(chunks, { coffset }));
}

describe('any chunking gives the same blocks', () => {
  test('every split into two', async () => {
    const expected = await blocksOf(chunked(bytes, [bytes.length]));
    expect(expected).toHaveLength(6);
    for (let split = 1; split < bytes.length; split += 1) {
      expect(await blocksOf(chunked(bytes, [split, bytes.length]))).toEqual(expected);
    }
  });

  test('chunks of one byte', async () => {
    expect(await blocksOf(chunked(bytes, [1]))).toEqual(await blocksOf(chunked(bytes, [bytes.length])));
  });

  test('any sizes, empty chunks among them', async () => {
    const expected = await blocksOf(chunked(bytes, [bytes.length]));
    const sizes = fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, async (list) => {
        expect(await blocksOf(chunked(bytes, [...list, 1]))).toEqual(expected);
      }),
    );
  });
});

test('offsets count from the given coffset', async () => {
  const blocks = await blocksOf(chunked(small.bytes, [10]), 1000);
  expect(blocks.map(({ coffset }) => coffset)).toEqual(small.blocks.map(({ coffset }) => 1000 + coffset));
});

test('a block within one chunk is a view of it', async () => {
  const [block] = await blocksOf(chunked(small.bytes, [small.bytes.length]));
  expect(block?.bytes.buffer.byteLength).toBe(small.bytes.length);
});

test('no bytes give no blocks', async () => {
  expect(await blocksOf(chunked(new Uint8Array(0), [1]))).toEqual([]);
});

test.each([1, 7, 1000])(
  'a partial tail is TRUNCATED at its block, after the whole ones (chunks of %i)',
  async (size) => {
    for (let end = 1; end < small.bytes.length; end += 1) {
      const whole = small.blocks.filter((block) => block.coffset + block.bytes.length <= end);
      const tail = small.blocks[whole.length]?.coffset;
      if (tail === end) continue;
      const found: number[] = [];
      const run = async () => {
        for await (const { coffset } of streamBlocks(chunked(small.bytes.subarray(0, end), [size])))
          found.push(coffset);
      };
      await expect(run()).rejects.toMatchObject({ code: 'TRUNCATED', offset: tail });
      expect(found).toEqual(whole.map(({ coffset }) => coffset));
    }
  },
);

test.each([1, 7, 1000])(
  'a bad header is INVALID_HEADER at its offset, after the blocks before it (chunks of %i)',
  async (size) => {
    const corrupt = Uint8Array.from(small.bytes);
    const third = small.blocks[2]?.coffset ?? 0;
    corrupt[third + 1] = 0;
    const found: number[] = [];
    const run = async () => {
      for await (const { coffset } of streamBlocks(chunked(corrupt, [size]))) found.push(coffset);
    };
    await expect(run()).rejects.toMatchObject({ code: 'INVALID_HEADER', offset: third });
    expect(found).toHaveLength(2);
  },
);

test('stopping early stops the chunks', async () => {
  let isStopped = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield EOF_MARKER;
    } finally {
      isStopped = true;
    }
  }
  for await (const { coffset } of streamBlocks(chunks())) if (coffset > 100) break;
  expect(isStopped).toBe(true);
});

test('a header of 64 KiB in chunks of one byte takes linear time', async () => {
  const filler = new Array<number>(65_000).fill(0); // 16,250 subfields of no bytes
  const header = buildBlock({ extra: [...filler, ...BC] });
  const start = performance.now();
  expect(await blocksOf(chunked(header, [1]))).toHaveLength(1);
  expect(performance.now() - start).toBeLessThan(2000);
});
