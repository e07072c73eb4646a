import { StorageError, toOwned } from '@htskit/io';
import { byteSourceContract } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  BgzfReader,
  type BgzfReaderOptions,
  buildGzi,
  deflateBlocks,
  EOF_MARKER,
  type GziIndex,
} from '../src/index.js';
import { MAX_BLOCK_SIZE } from '../src/internal.js';
import { joinBytes } from './build-block.js';
import { type MemorySource, memorySource } from './memory-source.js';
import { noise } from './noise.js';

/** Twenty blocks of data that compresses to about a third. */
const data = noise(20 * 65_280).map((byte) => 65 + (byte % 4));
const file = compress(data);
const gzi = await buildGzi(memorySource(file), file.length);

function compress(bytes: Uint8Array): Uint8Array {
  return joinBytes([deflateBlocks(bytes, { level: 1 }), EOF_MARKER]);
}

function open(options: BgzfReaderOptions = {}): { source: MemorySource; reader: BgzfReader } {
  const source = memorySource(file, { hasVersions: true });
  return { source, reader: new BgzfReader(source, options) };
}

function failure(code: string): Error {
  return expect.objectContaining({ code }) as Error;
}

function openMissing(): BgzfReader {
  const source = memorySource(file);
  const fail = () => Promise.reject(new StorageError('NOT_FOUND', 'the object does not exist', { key: source.key }));
  return new BgzfReader({ ...source, stat: fail, read: fail });
}

byteSourceContract(
  'BgzfReader without an index',
  (bytes) => {
    const source = memorySource(compress(bytes), { hasVersions: true });
    return {
      source: new BgzfReader(source),
      missing: openMissing(),
      bytesRead: () => source.bytesRead,
      replace: async (replacement) => source.replace(compress(replacement)),
    };
  },
  // Its first read streams the whole file.
  { without: ['bytesRead'] },
);

byteSourceContract(
  'BgzfReader with an index',
  async (bytes) => {
    const compressed = compress(bytes);
    const source = memorySource(compressed, { hasVersions: true });
    return {
      source: new BgzfReader(source, { gzi: await buildGzi(source, compressed.length) }),
      missing: openMissing(),
      bytesRead: () => source.bytesRead,
    };
  },
  // The index belongs to one version.
  { without: ['replace'] },
);

describe('stat', () => {
  test('returns the size of the uncompressed data and the version of the file', async () => {
    expect(await open().reader.stat()).toEqual({ size: data.length, version: 'version 0' });
  });

  test('reads only the end of the file if there is an index, and only once', async () => {
    const { source, reader } = open({ gzi });
    expect((await reader.stat()).size).toBe(data.length);
    expect((await reader.stat()).size).toBe(data.length);
    expect(source.requests).toMatchObject([{ kind: 'stream', start: gzi.coffsets.at(-1), end: file.length }]);
  });

  test('streams the file once for concurrent callers without an index', async () => {
    const { source, reader } = open();
    await Promise.all([reader.stat(), reader.read({ start: 7, end: 9 }), reader.stat()]);
    expect(source.requests.filter(({ kind }) => kind === 'stream')).toHaveLength(1);
  });

  test('counts blocks that the index does not list', async () => {
    const partial = { coffsets: gzi.coffsets.slice(0, 5), uncompressedOffsets: gzi.uncompressedOffsets.slice(0, 5) };
    const { reader } = open({ gzi: partial });
    expect((await reader.stat()).size).toBe(data.length);
    expect(await reader.read({ start: 1_000_000, end: 1_000_100 })).toEqual(data.slice(1_000_000, 1_000_100));
  });

  test('a caller that aborts does not fail the others', async () => {
    const { reader } = open();
    const controller = new AbortController();
    const aborted = reader.stat({ signal: controller.signal });
    const waiting = reader.stat();
    controller.abort();
    await expect(aborted).rejects.toThrow(failure('ABORTED'));
    expect((await waiting).size).toBe(data.length);
  });
});

describe('read', () => {
  test('equals the slice of the data for any range', async () => {
    const readers = [open({ gzi }), open({ gzi, cacheBytes: 0 }), open({ cacheBytes: 300_000 })];
    const offset = fc.oneof(
      fc.nat(data.length + 100),
      fc.nat(20).map((block) => block * 65_280),
    );
    await fc.assert(
      fc.asyncProperty(offset, offset, fc.constantFrom(...readers), async (a, b, { reader }) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const bytes = await reader.read({ start, end });
        expect(Buffer.from(bytes).equals(data.subarray(start, end))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('reads one block for a slice, no further than the next block, and then serves it from the cache', async () => {
    const { source, reader } = open({ gzi, version: 'version 0' });
    const [start, end] = [70_000, 71_000];
    expect(await reader.read({ start, end })).toEqual(data.slice(start, end));
    expect(await reader.read({ start: start + 500, end: end + 500 })).toEqual(data.slice(start + 500, end + 500));
    expect(source.requests).toMatchObject([{ kind: 'read', start: gzi.coffsets[0], end: gzi.coffsets[1] }]);
  });

  test('loads a block once for concurrent reads', async () => {
    const { source, reader } = open({ gzi });
    await Promise.all([100, 200, 300].map((start) => reader.read({ start, end: start + 50 })));
    expect(source.requests).toHaveLength(1);
  });

  test('keeps as many blocks as fit the cache', async () => {
    const { source, reader } = open({ gzi, cacheBytes: 3 * MAX_BLOCK_SIZE });
    const readBlock = (index: number) => reader.read({ start: index * 65_280, end: index * 65_280 + 1 });
    for (const index of [0, 1, 2, 0, 3, 0, 1]) await readBlock(index);
    expect(source.requests.map(({ start }) => start)).toEqual([0, 1, 2, 3, 1].map((i) => gzi.coffsets[i - 1] ?? 0));
  });

  test('reads a long range with one request, past the cache', async () => {
    const { source, reader } = open({ gzi, cacheBytes: 4 * MAX_BLOCK_SIZE });
    await reader.read({ start: 0, end: 200_000 });
    expect(source.requests.map(({ kind }) => kind)).toEqual(['stream']);
  });

  test('a read that is aborted does not fail the others that wait for its block', async () => {
    const { source, reader } = open({ gzi });
    const controller = new AbortController();
    const aborted = reader.read({ start: 100, end: 200 }, { signal: controller.signal });
    const waiting = reader.read({ start: 150, end: 160 });
    await Promise.resolve();
    controller.abort();
    await expect(aborted).rejects.toThrow(failure('ABORTED'));
    expect(await waiting).toEqual(data.slice(150, 160));
    expect(source.requests).toHaveLength(1);
  });

  test('does not keep a failed load', async () => {
    const { source, reader } = open({ gzi });
    const failing = vi.spyOn(source, 'read').mockRejectedValueOnce(new Error('unplugged'));
    await expect(reader.read({ start: 0, end: 1 })).rejects.toThrow('unplugged');
    failing.mockRestore();
    expect(await reader.read({ start: 0, end: 1 })).toEqual(data.slice(0, 1));
  });
});

describe('inflate', () => {
  test('yields the bytes of a range block by block with one request', async () => {
    const { source, reader } = open({ gzi });
    const sizes: number[] = [];
    const copies: Uint8Array[] = [];
    for await (const view of reader.inflate({ start: 60_000, end: 150_000 })) {
      sizes.push(view.length);
      copies.push(toOwned(view));
    }
    expect(sizes).toEqual([5_280, 65_280, 19_440]);
    expect(joinBytes(copies)).toEqual(data.slice(60_000, 150_000));
    expect(source.requests.map(({ kind }) => kind)).toEqual(['stream']);
  });
});

describe('version', () => {
  test('a pinned version is read without asking for the current one', async () => {
    const { source, reader } = open({ gzi, version: 'version 0' });
    source.stat = () => Promise.reject(new Error('stat is not needed'));
    expect(await reader.read({ start: 0, end: 10 })).toEqual(data.slice(0, 10));
    await expect(reader.read({ start: 0, end: 10 }, { version: 'version 1' })).rejects.toThrow(failure('CHANGED'));
  });

  test('a pinned version that was replaced is CHANGED', async () => {
    const { source, reader } = open({ gzi, version: 'version 0' });
    source.replace(file);
    await expect(reader.read({ start: 0, end: 10 })).rejects.toThrow(failure('CHANGED'));
    await expect(reader.stat()).rejects.toThrow(failure('CHANGED'));
  });

  test('an index does not fit a file that was replaced', async () => {
    const { source, reader } = open({ gzi });
    await reader.read({ start: 0, end: 10 });
    source.replace(file);
    await expect(reader.read({ start: 0, end: 10 })).rejects.toThrow(failure('CHANGED'));
  });
});

describe('an index of another file', () => {
  const shifted = (by: number): GziIndex => ({
    ...gzi,
    uncompressedOffsets: gzi.uncompressedOffsets.map((o) => o + by),
  });
  const INVALID = failure('INVALID_OFFSET');

  test.each([-1, 1, 70_000])('whose blocks are %i bytes away is INVALID_OFFSET', async (by) => {
    const { reader } = open({ gzi: shifted(by) });
    await expect(reader.read({ start: 1_000, end: 1_001 })).rejects.toThrow(INVALID);
    await expect(new Response(reader.stream({ start: 1_000, end: 200_000 })).arrayBuffer()).rejects.toThrow(INVALID);
  });

  test('that reaches past the end of the file is TRUNCATED', async () => {
    const source = memorySource(file.subarray(0, 100_000));
    await expect(new BgzfReader(source, { gzi }).stat()).rejects.toThrow(failure('TRUNCATED'));
  });
});

test('close drops the cached blocks', async () => {
  const { source, reader } = open({ gzi });
  await reader.read({ start: 0, end: 10 });
  await reader.close();
  await reader.read({ start: 0, end: 10 });
  expect(source.requests).toHaveLength(2);
});

test('has another key than its file', () => {
  const { source, reader } = open();
  expect(reader.key).not.toBe(source.key);
});
