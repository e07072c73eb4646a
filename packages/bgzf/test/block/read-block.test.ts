import { volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { deflateBlocks, EOF_MARKER } from '../../src/index.js';
import { findBlock, readBlock } from '../../src/internal.js';
import { ascii, buildBlock, buildFile, joinBytes } from '../build-block.js';
import { memorySource } from '../memory-source.js';
import { noise } from '../noise.js';

describe('readBlock', () => {
  const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third')]);

  test('reads each block at its offset, and returns undefined at the end of the file', async () => {
    const source = memorySource(file.bytes);
    for (const { coffset, bytes } of file.blocks) {
      expect(await readBlock(source, coffset)).toEqual({ coffset, bytes });
    }
    expect(await readBlock(source, file.bytes.length)).toBeUndefined();
  });

  test('reads 64 KiB once and passes the options through', async () => {
    const source = memorySource(file.bytes);
    const options = { version: 'etag', signal: new AbortController().signal, more: 1 };
    await readBlock(source, 0, options);
    expect(source.requests).toEqual([{ kind: 'read', start: 0, end: 65536, options }]);
    expect(source.requests[0]?.options).toBe(options);
  });

  test('reads a whole block of 65536 bytes', async () => {
    const bytes = joinBytes([buildBlock({ deflated: new Uint8Array(65536 - 26) }), EOF_MARKER]);
    expect((await readBlock(memorySource(bytes), 0))?.bytes.length).toBe(65536);
  });

  test('a file that ends within the block is TRUNCATED at the offset of the block', async () => {
    const coffset = file.blocks[2]?.coffset ?? 0;
    for (let end = coffset + 1; end < file.bytes.length; end += 1) {
      const source = memorySource(file.bytes.subarray(0, end));
      await expect(readBlock(source, coffset)).rejects.toMatchObject({ code: 'TRUNCATED', offset: coffset });
    }
  });

  test('an offset at which no block begins is INVALID_HEADER', async () => {
    await expect(readBlock(memorySource(file.bytes), 1)).rejects.toMatchObject({ code: 'INVALID_HEADER', offset: 1 });
  });
});

describe('findBlock', () => {
  const blocks = [
    deflateBlocks(noise(60_000)),
    EOF_MARKER,
    deflateBlocks(new Uint8Array(50_000)),
    // A stored block whose data contains a block header.
    deflateBlocks(Buffer.concat([EOF_MARKER.subarray(0, 27), noise(3000)]), { level: 0 }),
    EOF_MARKER,
  ];
  const file = new Uint8Array(Buffer.concat(blocks));
  const starts = blocks.map((_, index) => blocks.slice(0, index).reduce((sum, { length }) => sum + length, 0));

  test('finds the next block from any offset, and none after the last', async () => {
    const source = memorySource(file);
    for (const from of [...starts, ...starts.map((start) => start + 1), 777, 30_000, file.length - 1]) {
      expect(await findBlock(source, from, { end: file.length })).toBe(starts.find((start) => start >= from));
    }
  });

  test('finds no block at or after `end`', async () => {
    const source = memorySource(file);
    expect(await findBlock(source, 1, { end: starts[1] ?? 0 })).toBeUndefined();
  });

  test('reads the source once', async () => {
    const source = memorySource(file);
    await findBlock(source, 5, { end: file.length });
    expect(source.requests).toMatchObject([{ kind: 'read', start: 5, end: file.length }]);
  });

  test('skips whole blocks within the data of a stored block', async () => {
    const nested = Buffer.concat(Array.from({ length: 200 }, () => [EOF_MARKER, noise(100)]).flat());
    const hosts = Array.from({ length: 8 }, () => deflateBlocks(nested, { level: 0 }));
    const chain = deflateBlocks(Buffer.concat(Array.from({ length: 2000 }, () => EOF_MARKER)), { level: 0 });
    const pieces = [...hosts, chain, EOF_MARKER];
    const begins = pieces.map((_, index) => pieces.slice(0, index).reduce((sum, { length }) => sum + length, 0));
    const source = memorySource(new Uint8Array(Buffer.concat(pieces)));
    const end = Buffer.concat(pieces).length;
    const step = Math.floor(end / volume(60));
    for (let from = 1; from < end; from += step) {
      expect(await findBlock(source, from, { end })).toBe(begins.find((begin) => begin >= from));
    }
  });
});
