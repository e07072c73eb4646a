import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BgzfDecompressionStream, EOF_MARKER, inflateStream, readChunks } from '../src/index.js';
import { ascii, buildFile, joinBytes } from './build-block.js';
import { chunked, collect, toArray, toStream } from './memory-source.js';

const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third'.repeat(30)), ascii('fourth')]);
const bytes = joinBytes([file.bytes, EOF_MARKER]);

function spansOf(chunks: AsyncIterable<Uint8Array>) {
  return toArray(inflateStream(chunks, { copy: true, coffset: 1000 }));
}

function pipe(chunks: AsyncGenerator<Uint8Array, void>, through = new BgzfDecompressionStream()): Promise<Uint8Array> {
  return collect(readChunks(toStream(chunks).pipeThrough(through)));
}

describe('inflateStream', () => {
  test('gives the data of each block that has some, and where it lies', async () => {
    expect(await spansOf(chunked(bytes, [100]))).toEqual(
      file.blocks
        .filter(({ data }) => data.length > 0)
        .map(({ coffset, data }) => ({ coffset: 1000 + coffset, uoffset: 0, data })),
    );
  });

  test('any split into two gives the same', async () => {
    const expected = await spansOf(chunked(bytes, [bytes.length]));
    for (let split = 1; split < bytes.length; split += 1) {
      expect(await spansOf(chunked(bytes, [split, bytes.length]))).toEqual(expected);
    }
  });

  test('any chunking gives the same', async () => {
    const expected = await spansOf(chunked(bytes, [bytes.length]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
        expect(await spansOf(chunked(bytes, [...sizes, 1]))).toEqual(expected);
      }),
    );
  });

  test('streams at the same time do not disturb each other', async () => {
    const [one, two] = [inflateStream(chunked(bytes, [7])), inflateStream(chunked(bytes, [bytes.length]))];
    const first = await one.next();
    await two.next();
    await two.next();
    expect(first.value?.data).toEqual(ascii('first'));
    await Promise.all([one.return(), two.return()]);
  });

  test('a corrupt block is an error at its offset, after what lies before it', async () => {
    const third = file.blocks[2]?.coffset ?? 0;
    const corrupt = bytes.slice();
    corrupt[third + 25] = 0xff;
    const seen: number[] = [];
    const run = async () => {
      for await (const { coffset } of inflateStream(chunked(corrupt, [50]))) seen.push(coffset);
    };
    await expect(run()).rejects.toMatchObject({ name: 'BgzfError', offset: third });
    expect(seen).toEqual([0]);
  });
});

describe('BgzfDecompressionStream', () => {
  test.each([1, 30, 10_000])('gives the data, from chunks of %i', async (size) => {
    expect(await pipe(chunked(bytes, [size]))).toEqual(file.data);
  });

  test('a chunk that expands a thousandfold is inflated block by block, as its reader asks', async () => {
    const zeros = buildFile(Array.from({ length: 100 }, () => new Uint8Array(65_280))).bytes;
    const stream = new BgzfDecompressionStream();
    const writer = stream.writable.getWriter();
    let isWritten = false;
    const written = writer.write(zeros).then(() => {
      isWritten = true;
      return writer.write(EOF_MARKER);
    });
    const reader = stream.readable.getReader();
    for (let block = 0; block < 100; block += 1) {
      expect((await reader.read()).value).toHaveLength(65_280);
    }
    expect(isWritten).toBe(true);
    const rest = reader.read();
    await Promise.all([written, writer.close()]);
    expect((await rest).done).toBe(true);
  });

  test('knows whether the file ends with the EOF marker', async () => {
    const [whole, bare, behind] = [1, 2, 3].map(() => new BgzfDecompressionStream());
    await pipe(chunked(bytes, [9]), whole);
    await pipe(chunked(file.bytes, [9]), bare);
    await pipe(chunked(joinBytes([bytes, file.bytes]), [9]), behind);
    expect([whole, bare, behind].map((stream) => stream?.hasEofMarker)).toEqual([true, false, false]);
  });

  test('fails where the data ends within a block, or is corrupt', async () => {
    await expect(pipe(chunked(bytes.subarray(0, -1), [9]))).rejects.toMatchObject({ code: 'TRUNCATED' });
    const corrupt = bytes.slice();
    corrupt[file.blocks[1]?.coffset ?? 0] = 0;
    await expect(pipe(chunked(corrupt, [9]))).rejects.toMatchObject({
      code: 'INVALID_HEADER',
      offset: file.blocks[1]?.coffset,
    });
  });
});
