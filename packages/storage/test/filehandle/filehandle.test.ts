import type { ByteSource } from '@htskit/io';
import type { GenericFilehandle } from 'generic-filehandle2';
import { describe, expect, test, vi } from 'vitest';
import { toFilehandle } from '../../src/filehandle/index.js';
import { memorySource } from '../../src/memory.js';

const TEXT = '\uFEFFchr1\tµ\n';
const BYTES = new TextEncoder().encode(TEXT);

/** Typed as what libraries take. */
function open(source: ByteSource = memorySource(BYTES)): GenericFilehandle {
  return toFilehandle(source);
}

describe('a filehandle over a source', () => {
  test('reads up to so many bytes from a position', async () => {
    await expect(open().read(4, 3)).resolves.toEqual(BYTES.slice(3, 7));
    await expect(open().read(100, 3)).resolves.toEqual(BYTES.slice(3));
    await expect(open().read(0, 3)).resolves.toHaveLength(0);
    await expect(open().read(10, 1_000)).resolves.toHaveLength(0);
  });

  test('reads from the start by default, and to the end for any length', async () => {
    const filehandle = toFilehandle(memorySource(BYTES));
    await expect(filehandle.read(2)).resolves.toEqual(BYTES.slice(0, 2));
    await expect(filehandle.read(Number.POSITIVE_INFINITY, 2)).resolves.toEqual(BYTES.slice(2));
    await expect(filehandle.read(Number.MAX_SAFE_INTEGER, 2)).resolves.toEqual(BYTES.slice(2));
  });

  test.each([
    [-1, 0],
    [Number.NaN, 0],
    [1, -1],
    [0.5, 0],
  ])('refuses %d bytes from %d on with INVALID_RANGE', async (length, position) => {
    await expect(open().read(length, position)).rejects.toMatchObject({ code: 'INVALID_RANGE' });
  });

  test('reads the whole, as bytes or as text with its byte order mark', async () => {
    await expect(open().readFile()).resolves.toEqual(BYTES);
    await expect(open().readFile({})).resolves.toEqual(BYTES);
    await expect(open().readFile('utf8')).resolves.toBe(TEXT);
    await expect(open().readFile({ encoding: 'utf-8' })).resolves.toBe(TEXT);
    await expect(open().readFile('latin1')).rejects.toThrow('expected the encoding utf8, found latin1');
  });

  test('reads the whole of one version', async () => {
    const source = memorySource(BYTES, { version: 'v1' });
    const read = vi.spyOn(source, 'read');
    await open(source).readFile();
    expect(read).toHaveBeenCalledWith({ start: 0, end: BYTES.length }, { version: 'v1' });
  });

  test('says the size', async () => {
    await expect(open().stat()).resolves.toEqual({ size: BYTES.length });
  });

  test('hands the signal on', async () => {
    const signal = AbortSignal.abort();
    await expect(open().read(1, 0, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(open().readFile({ signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('closes the source, where that can be closed', async () => {
    const close = vi.fn<() => Promise<void>>(async () => undefined);
    await open({ ...memorySource(BYTES), close }).close();
    expect(close).toHaveBeenCalledOnce();
    await expect(open().close()).resolves.toBeUndefined();
  });

  test('gives bytes that are not shared with other threads', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    shared.set([1, 2, 3]);
    const source: ByteSource = { ...memorySource(BYTES), read: async () => shared };
    const bytes = await open(source).read(3, 0);
    expect(bytes.buffer).toBeInstanceOf(ArrayBuffer);
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3));
  });
});
