import { splitBgzf } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGzi, deflateBlocks, deflateStream, EOF_MARKER, GziBuilder } from '../../src/index.js';
import { joinBytes } from '../build-block.js';
import { chunked, collect, memorySource } from '../memory-source.js';
import { letters } from '../noise.js';

const data = letters(200_000);

test('yields the blocks of the data and the EOF marker', async () => {
  const bytes = await collect(deflateStream(chunked(data, [1000])));
  expect(Buffer.compare(bytes, joinBytes([deflateBlocks(data), EOF_MARKER]))).toBe(0);
  expect(splitBgzf(bytes).map((block) => block.data.length)).toEqual([65280, 65280, 65280, 4160, 0]);
});

test('omits the EOF marker on request', async () => {
  const bytes = await collect(deflateStream(chunked(data, [1000]), { eof: false }));
  expect(Buffer.compare(bytes, deflateBlocks(data))).toBe(0);
});

test.each([65279, 65280, 65281, 130_560, 200_000])('chunks of %i bytes result in the same bytes', async (size) => {
  const bytes = await collect(deflateStream(chunked(data, [size, 1])));
  expect(Buffer.compare(bytes, await collect(deflateStream(chunked(data, [200_000]))))).toBe(0);
});

test('any chunking results in the same bytes', async () => {
  const part = data.subarray(0, 70_000);
  const expected = await collect(deflateStream(chunked(part, [part.length]), { level: 1 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 80_000 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
      const bytes = await collect(deflateStream(chunked(part, [...sizes, 1000]), { level: 1 }));
      expect(Buffer.compare(bytes, expected)).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test('empty data results in the EOF marker alone, or in nothing', async () => {
  expect(await collect(deflateStream(chunked(new Uint8Array(0), [1])))).toEqual(EOF_MARKER);
  expect(await collect(deflateStream(chunked(new Uint8Array(0), [1]), { eof: false }))).toEqual(new Uint8Array(0));
});

test.each([1000, 65280, 65281, 200_000])('fills a GziBuilder with the index of the file (%i bytes)', async (size) => {
  const gzi = new GziBuilder();
  const bytes = await collect(deflateStream(chunked(data.subarray(0, size), [777]), { gzi }));
  expect(gzi.finish()).toEqual(await buildGzi(memorySource(bytes), bytes.length));
});

test.each([-1, 10, 1.5])('rejects level %d', async (level) => {
  await expect(collect(deflateStream(chunked(data, [100]), { level }))).rejects.toThrow(RangeError);
});
