import { CHUNK_BYTES } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../src/memory.js';

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);

describe('memorySource', () => {
  test('says its size and the version that it was given', async () => {
    await expect(memorySource(BYTES).stat()).resolves.toEqual({ size: 100 });
    await expect(memorySource(BYTES, { version: 'v1' }).stat()).resolves.toEqual({ size: 100, version: 'v1' });
  });

  test('has a key of its own unless it is given one', () => {
    expect(memorySource(BYTES, { key: 'k' }).key).toBe('k');
    expect(memorySource(BYTES).key).not.toBe(memorySource(BYTES).key);
  });

  test('reads a part of a larger buffer', async () => {
    const source = memorySource(BYTES.subarray(10, 20));
    await expect(source.read({ start: 8, end: 50 })).resolves.toEqual(Uint8Array.of(18, 19));
  });

  test('gives bytes that the caller may overwrite', async () => {
    const source = memorySource(BYTES);
    (await source.read({ start: 0, end: 2 })).fill(255);
    const { value } = await source.stream({ start: 0, end: 2 }).getReader().read();
    value?.fill(255);
    await expect(source.read({ start: 0, end: 2 })).resolves.toEqual(Uint8Array.of(0, 1));
  });

  test('streams in chunks', async () => {
    const source = memorySource(new Uint8Array(2 * CHUNK_BYTES + 5));
    const lengths: number[] = [];
    for await (const chunk of source.stream({ start: 1, end: 2 * CHUNK_BYTES + 100 })) lengths.push(chunk.length);
    expect(lengths).toEqual([CHUNK_BYTES, CHUNK_BYTES, 4]);
  });

  test.each([['v1'], [undefined]])('is CHANGED for another version than %s', async (version) => {
    const source = memorySource(BYTES, version === undefined ? {} : { version });
    const options = { version: 'v0' };
    await expect(source.read({ start: 0, end: 1 }, options)).rejects.toMatchObject({ code: 'CHANGED' });
    const reader = source.stream({ start: 0, end: 1 }, options).getReader();
    await expect(reader.read()).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('reads the version that it has', async () => {
    const source = memorySource(BYTES, { version: 'v1' });
    await expect(source.read({ start: 0, end: 1 }, { version: 'v1' })).resolves.toEqual(Uint8Array.of(0));
  });

  test('refuses an invalid range and an aborted signal', async () => {
    const source = memorySource(BYTES);
    const signal = AbortSignal.abort();
    await expect(source.read({ start: 5, end: 4 })).rejects.toMatchObject({ code: 'INVALID_RANGE' });
    await expect(source.stream({ start: 5, end: 4 }).getReader().read()).rejects.toMatchObject({
      code: 'INVALID_RANGE',
    });
    await expect(source.read({ start: 0, end: 1 }, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(source.stat({ signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
