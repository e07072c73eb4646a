import { existsSync } from 'node:fs';
import { peek, toOwnedChunks } from '@htskit/io';
import { bgunzip, mutations, volume } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { createZlibRunner, zlibEngine } from '../../src/engines/zlib.node.js';
import {
  BgzfPool,
  buildGzi,
  defaultEngine,
  deflateStream,
  EOF_MARKER,
  GziBuilder,
  inflateStream,
} from '../../src/index.js';
import { attemptAsync } from '../attempt.js';
import { ascii, buildFile, joinBytes } from '../build-block.js';
import { chunked, collect, memorySource } from '../memory-source.js';
import { letters } from '../noise.js';

const data = letters(6_000_000);
const file = await collect(deflateStream(chunked(data, [100_000]), { level: 1 }));

test('the package is built, since workers run what is built', () => {
  expect(existsSync(new URL('../../dist/pool/codec-worker.js', import.meta.url)), 'run "pnpm run build" first').toBe(
    true,
  );
});

describe.each([
  ['workers', new BgzfPool({ threads: 2 })],
  ["Node's threads", new BgzfPool({ runner: createZlibRunner() })],
])('on %s', (name, pool) => {
  const engine = name === 'workers' ? defaultEngine() : zlibEngine;
  afterAll(() => pool.close());

  describe('inflate', () => {
    test.each([6_000_000, 65_536, 1000])('yields the data of chunks of %i bytes', async (size) => {
      expect(Buffer.compare(await collect(toOwnedChunks(pool.inflate(chunked(file, [size])))), data)).toBe(0);
    });

    test('pieces are valid until the next one without a copy', async () => {
      let at = 0;
      for await (const piece of pool.inflate(chunked(file, [50_000]))) {
        expect(Buffer.compare(peek(piece), data.subarray(at, at + piece.length))).toBe(0);
        at += piece.length;
      }
      expect(at).toBe(data.length);
    });

    test('concurrent streams do not interfere', async () => {
      const results = await Promise.all(
        [1000, 70_000, 6_000_000].map((size) => collect(toOwnedChunks(pool.inflate(chunked(file, [size]))))),
      );
      for (const result of results) expect(Buffer.compare(result, data)).toBe(0);
    });

    test('reads empty and concatenated files', async () => {
      expect(await collect(toOwnedChunks(pool.inflate(chunked(new Uint8Array(0), [1]))))).toEqual(new Uint8Array(0));
      expect(await collect(toOwnedChunks(pool.inflate(chunked(EOF_MARKER, [1]))))).toEqual(new Uint8Array(0));
      const small = buildFile([ascii('first'), new Uint8Array(0), ascii('third')]);
      const twice = joinBytes([small.bytes, EOF_MARKER, small.bytes]);
      expect(await collect(toOwnedChunks(pool.inflate(chunked(twice, [9]))))).toEqual(ascii('firstthirdfirstthird'));
    });

    test('fills a GziBuilder with the index of the file', async () => {
      const gzi = new GziBuilder();
      await collect(toOwnedChunks(pool.inflate(chunked(file, [50_000]), { gzi })));
      expect(gzi.finish()).toEqual(await buildGzi(memorySource(file), file.length));
    });

    test('stopping early ends the iteration over the chunks, and the pool can be used again', async () => {
      let isStopped = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield file;
        } finally {
          isStopped = true;
        }
      }
      for await (const piece of pool.inflate(endless())) if (piece.length > 0) break;
      expect(isStopped).toBe(true);
      expect(Buffer.compare(await collect(toOwnedChunks(pool.inflate(chunked(file, [50_000])))), data)).toBe(0);
    });

    test('a corrupt block is the same error as on one thread, after the data of all blocks before', async () => {
      const corrupt = file.slice();
      corrupt[file.length - 100_000] = (file[file.length - 100_000] ?? 0) ^ 0x55;
      let expectedLength = 0;
      const readExpected = async () => {
        for await (const { data } of inflateStream(chunked(corrupt, [5000]))) expectedLength += data.length;
      };
      const expected = await readExpected().catch((error: unknown) => error);
      expect(expected).toMatchObject({ name: 'BgzfError' });
      let byteLength = 0;
      const run = async () => {
        for await (const piece of pool.inflate(chunked(corrupt, [5000]))) byteLength += piece.length;
      };
      const { code, offset, message } = expected as { code: string; offset: number; message: string };
      await expect(run()).rejects.toMatchObject({ name: 'BgzfError', code, offset, message });
      expect(byteLength).toBe(expectedLength);
      expect(byteLength % (32 * 65280)).toBeGreaterThan(0);
    });

    test('yields the data before the end of a truncated file', async () => {
      let byteLength = 0;
      const run = async () => {
        for await (const piece of pool.inflate(chunked(file.subarray(0, -40), [5000]))) byteLength += piece.length;
      };
      await expect(run()).rejects.toMatchObject({ name: 'BgzfError', code: 'TRUNCATED' });
      expect(byteLength).toBe(Math.floor(data.length / 65280) * 65280);
    });

    test('a mutated file is rejected or inflates to the data that an independent reader returns', async () => {
      const small = buildFile([ascii('first'.repeat(30)), ascii('second'.repeat(30))]).bytes;
      for (const { bytes, description } of mutations(small, { seed: 8, count: volume(500) })) {
        const found = await attemptAsync(collect(toOwnedChunks(pool.inflate(chunked(bytes, [64])))));
        expect(found === undefined || Buffer.compare(found, bgunzip(bytes)) === 0, `${description}`).toBe(true);
      }
    });
  });

  describe('deflate', () => {
    test.each([6_000_000, 65_281, 1000])('yields the bytes of deflateStream for chunks of %i bytes', async (size) => {
      const expected = await collect(deflateStream(chunked(data, [size]), { level: 1, engine }));
      expect(Buffer.compare(await collect(pool.deflate(chunked(data, [size]), { level: 1 })), expected)).toBe(0);
    });

    test('fills a GziBuilder with the index of the output', async () => {
      const gzi = new GziBuilder();
      const bytes = await collect(pool.deflate(chunked(data, [50_000]), { level: 1, gzi }));
      expect(gzi.finish()).toEqual(await buildGzi(memorySource(bytes), bytes.length));
    });

    test('empty data results in the EOF marker alone, or in nothing', async () => {
      expect(await collect(pool.deflate(chunked(new Uint8Array(0), [1])))).toEqual(EOF_MARKER);
      expect(await collect(pool.deflate(chunked(new Uint8Array(0), [1]), { eof: false }))).toEqual(new Uint8Array(0));
    });

    test.each([-1, 10, 1.5])('rejects level %d', async (level) => {
      await expect(collect(pool.deflate(chunked(data, [100]), { level }))).rejects.toThrow(RangeError);
    });

    test('throws the error of the chunks', async () => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield data;
        throw new RangeError('no more');
      }
      await expect(collect(pool.deflate(failing()))).rejects.toThrow('no more');
    });
  });
});

test('a closed pool can be used again', async () => {
  const another = new BgzfPool({ threads: 1 });
  await collect(toOwnedChunks(another.inflate(chunked(file, [50_000]))));
  await another.close();
  expect(Buffer.compare(await collect(toOwnedChunks(another.inflate(chunked(file, [50_000])))), data)).toBe(0);
  await another.close();
});

test.each([0, -1, 1.5])('rejects %d threads', (threads) => {
  expect(() => new BgzfPool({ threads })).toThrow(RangeError);
});
