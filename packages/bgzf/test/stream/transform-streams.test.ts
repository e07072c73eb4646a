import { readChunks } from '@htskit/io';
import { bgunzip } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  BgzfCompressionStream,
  BgzfDecompressionStream,
  deflateStream,
  EOF_MARKER,
  GziBuilder,
} from '../../src/index.js';
import { ascii, buildFile, joinBytes } from '../build-block.js';
import { chunked, collect, toStream } from '../memory-source.js';
import { letters } from '../noise.js';

const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third'.repeat(30)), ascii('fourth')]);
const bytes = joinBytes([file.bytes, EOF_MARKER]);

function pipe(chunks: AsyncGenerator<Uint8Array, void>, through = new BgzfDecompressionStream()): Promise<Uint8Array> {
  return collect(readChunks(toStream(chunks).pipeThrough(through)));
}

describe('BgzfDecompressionStream', () => {
  test.each([1, 30, 10_000])('decompresses chunks of %i bytes', async (size) => {
    expect(await pipe(chunked(bytes, [size]))).toEqual(file.data);
  });

  test('inflates a chunk that expands a thousandfold block by block, as its reader pulls', async () => {
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

  test('reports whether the file ends with the EOF marker', async () => {
    const [complete, unmarked, continued] = [1, 2, 3].map(() => new BgzfDecompressionStream());
    await pipe(chunked(bytes, [9]), complete);
    await pipe(chunked(file.bytes, [9]), unmarked);
    await pipe(chunked(joinBytes([bytes, file.bytes]), [9]), continued);
    expect([complete, unmarked, continued].map((stream) => stream?.hasEofMarker)).toEqual([true, false, false]);
  });

  test('fails if the data ends within a block or is corrupt', async () => {
    await expect(pipe(chunked(bytes.subarray(0, -1), [9]))).rejects.toMatchObject({ code: 'TRUNCATED' });
    const corrupt = bytes.slice();
    corrupt[file.blocks[1]?.coffset ?? 0] = 0;
    await expect(pipe(chunked(corrupt, [9]))).rejects.toMatchObject({
      code: 'INVALID_HEADER',
      offset: file.blocks[1]?.coffset,
    });
  });
});

describe('BgzfCompressionStream', () => {
  test('writes the bytes of deflateStream', async () => {
    const data = letters(200_000);
    const gzi = new GziBuilder();
    const stream = new BgzfCompressionStream({ level: 1, gzi });
    const bytes = await collect(readChunks(toStream(chunked(data, [7000])).pipeThrough(stream)));
    expect(Buffer.compare(bytes, await collect(deflateStream(chunked(data, [1]), { level: 1 })))).toBe(0);
    expect(Buffer.compare(bgunzip(bytes), data)).toBe(0);
    expect(gzi.finish().coffsets).toHaveLength(3);
  });
});
