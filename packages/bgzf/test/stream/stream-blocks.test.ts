import { excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EOF_MARKER } from '../../src/index.js';
import { type BgzfBlock, streamBlocks } from '../../src/internal.js';
import { BlockWalker } from '../../src/stream/stream-blocks.js';
import { ascii, BC, buildBlock, buildFile, joinBytes } from '../build-block.js';
import { chunked, toArray } from '../memory-source.js';

const small = buildFile([ascii('first'), new Uint8Array(0), ascii('third')]);
const wide = buildBlock({ data: ascii('wide'), extra: [0x58, 0x59, 40, 0, ...new Array<number>(40).fill(1), ...BC] });
const bytes = joinBytes([small.bytes, wide, EOF_MARKER, buildBlock({ data: ascii('A'.repeat(60_000)) })]);

function blocksOf(chunks: AsyncIterable<Uint8Array>, coffset = 0): Promise<BgzfBlock[]> {
  return toArray(streamBlocks(chunks, { coffset }));
}

describe('the blocks do not depend on the chunks', () => {
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

  test('chunks of any sizes, some of them empty', async () => {
    const expected = await blocksOf(chunked(bytes, [bytes.length]));
    const sizes = fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, async (list) => {
        expect(await blocksOf(chunked(bytes, [...list, 1]))).toEqual(expected);
      }),
    );
  });
});

test('chunks may be in memory that is used again for the next one', async () => {
  const expected = await blocksOf(chunked(bytes, [bytes.length]));
  const memory = new Uint8Array(50);
  const blocks: BgzfBlock[] = [];
  async function* borrowed(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunked(bytes, [50])) {
      memory.set(chunk);
      yield memory.subarray(0, chunk.length);
    }
  }
  for await (const block of streamBlocks(borrowed())) blocks.push({ ...block, bytes: block.bytes.slice() });
  expect(blocks).toEqual(expected);
});

test('offsets count from `coffset`', async () => {
  const blocks = await blocksOf(chunked(small.bytes, [10]), 1000);
  expect(blocks.map(({ coffset }) => coffset)).toEqual(small.blocks.map(({ coffset }) => 1000 + coffset));
});

test('a block within one chunk is a view of it', async () => {
  const [block] = await blocksOf(chunked(small.bytes, [small.bytes.length]));
  expect(block?.bytes.buffer.byteLength).toBe(small.bytes.length);
});

test('yields nothing for no bytes', async () => {
  expect(await blocksOf(chunked(new Uint8Array(0), [1]))).toEqual([]);
});

test.each([1, 7, 1000])(
  'a partial last block is TRUNCATED at its offset, after the blocks before it (chunks of %i)',
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

test('stopping early ends the iteration over the chunks', async () => {
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

describe('a header in chunks of one byte', () => {
  /** A block with subfields of 4 bytes each, without data. */
  function buildLongHeader(length: number): Uint8Array {
    return buildBlock({ extra: [...new Array<number>(length).fill(0), ...BC] });
  }

  function walkByteByByte(bytes: Uint8Array): void {
    const walker = new BlockWalker(0);
    for (const byte of bytes) walker.advance(Uint8Array.of(byte), 0);
    walker.finish();
  }

  test('may be 64 KiB long', async () => {
    expect(await blocksOf(chunked(buildLongHeader(65_000), [1]))).toHaveLength(1);
  });

  test('takes linear time', () => {
    expect(excessGrowth(buildLongHeader, walkByteByByte, { size: 2_000 })).toBeLessThan(8);
  });
});
