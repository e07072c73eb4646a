import { expect, test } from 'vitest';
import { EOF_MARKER, readBlock } from '../src/index.js';
import { ascii, buildBlock, buildFile, joinBytes } from './build-block.js';
import { memorySource } from './memory-source.js';

const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third')]);

test('each block is read where it begins, and the end of the file is undefined', async () => {
  const source = memorySource(file.bytes);
  for (const { coffset, bytes } of file.blocks) {
    expect(await readBlock(source, coffset)).toEqual({ coffset, bytes });
  }
  expect(await readBlock(source, file.bytes.length)).toBeUndefined();
});

test('a block costs one read of 64 KiB, with the options as they were given', async () => {
  const source = memorySource(file.bytes);
  const options = { version: 'etag', signal: new AbortController().signal, more: 1 };
  await readBlock(source, 0, options);
  expect(source.requests).toEqual([{ kind: 'read', start: 0, end: 65536, options }]);
  expect(source.requests[0]?.options).toBe(options);
});

test('a block of 65536 bytes is read whole', async () => {
  const bytes = joinBytes([buildBlock({ deflated: new Uint8Array(65536 - 26) }), EOF_MARKER]);
  expect((await readBlock(memorySource(bytes), 0))?.bytes.length).toBe(65536);
});

test('a file that ends within the block is TRUNCATED at it', async () => {
  const coffset = file.blocks[2]?.coffset ?? 0;
  for (let end = coffset + 1; end < file.bytes.length; end += 1) {
    const source = memorySource(file.bytes.subarray(0, end));
    await expect(readBlock(source, coffset)).rejects.toMatchObject({ code: 'TRUNCATED', offset: coffset });
  }
});

test('an offset at which no block begins is INVALID_HEADER', async () => {
  await expect(readBlock(memorySource(file.bytes), 1)).rejects.toMatchObject({ code: 'INVALID_HEADER', offset: 1 });
});
