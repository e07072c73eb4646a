import { CHUNK_BYTES } from '@htskit/io';
import { BlobFile, RemoteFile } from 'generic-filehandle2';
import { describe, expect, test, vi } from 'vitest';
import {
  type Filehandle,
  type FilehandleStat,
  fromBufferFilehandle,
  fromFilehandle,
} from '../../src/filehandle/index.js';
import { type RangeServerOptions, serveRanges } from './range-server.js';

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index);

/** A filehandle over BYTES, with other answers. */
function filehandle(overrides: Partial<Filehandle>): Filehandle {
  return {
    read: async (length, position) => BYTES.slice(position, position + length),
    stat: async () => ({ size: BYTES.length }),
    ...overrides,
  };
}

/** Each call of stat gives the next state; the last one stays. */
function stats(...states: FilehandleStat[]): () => Promise<FilehandleStat> {
  let calls = 0;
  return async () => states[Math.min(calls++, states.length - 1)] ?? { size: 0 };
}

const NEVER = new Promise<never>(() => undefined);

describe('a source over a filehandle', () => {
  test('has a key of its own unless it is given one', () => {
    expect(fromFilehandle(filehandle({}), { key: 'k' }).key).toBe('k');
    expect(fromFilehandle(filehandle({})).key).not.toBe(fromFilehandle(filehandle({})).key);
  });

  test('repeats a short read', async () => {
    const read = vi.fn<Filehandle['read']>(async (length, position) =>
      BYTES.slice(position, position + Math.min(length, 7)),
    );
    const source = fromFilehandle(filehandle({ read }));
    await expect(source.read({ start: 10, end: 30 })).resolves.toEqual(BYTES.slice(10, 30));
    expect(read.mock.calls.map(([length, position]) => [length, position])).toEqual([
      [20, 10],
      [13, 17],
      [6, 24],
    ]);
  });

  test('fills the rest of the buffer after a short read', async () => {
    const source = fromBufferFilehandle({
      read: async (buffer, offset, length, position) => {
        const bytesRead = Math.min(length, 7);
        buffer.set(BYTES.subarray(position, position + bytesRead), offset);
        return { bytesRead };
      },
      stat: async () => ({ size: BYTES.length }),
    });
    await expect(source.read({ start: 10, end: 200 })).resolves.toEqual(BYTES.slice(10));
  });

  test('is SHORT_READ if the object ends before its size', async () => {
    const source = fromFilehandle(filehandle({ stat: async () => ({ size: 200 }) }));
    await expect(source.read({ start: 90, end: 150 })).rejects.toMatchObject({
      code: 'SHORT_READ',
      message: 'expected 60 bytes, found 10',
    });
  });

  test('does not read for an empty range, nor past the end', async () => {
    const read = vi.fn<Filehandle['read']>();
    const source = fromFilehandle(filehandle({ read }));
    await expect(source.read({ start: 5, end: 5 })).resolves.toHaveLength(0);
    await expect(source.read({ start: 100, end: 200 })).resolves.toHaveLength(0);
    expect(read).not.toHaveBeenCalled();
  });

  test.each([11, -1, 0.5, Number.NaN])('refuses %d bytes in response to a request for 10', async (bytesRead) => {
    const source = fromBufferFilehandle({ read: async () => ({ bytesRead }), stat: async () => ({ size: 100 }) });
    await expect(source.read({ start: 0, end: 10 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: `expected at most 10 bytes from the filehandle, found ${bytesRead}`,
    });
  });

  test('refuses more bytes than requested', async () => {
    const source = fromFilehandle(filehandle({ read: async (length) => new Uint8Array(length + 1) }));
    await expect(source.read({ start: 0, end: 10 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('is UNAVAILABLE, not broken, where the object does not fit in memory', async () => {
    const source = fromFilehandle(filehandle({ stat: async () => ({ size: Number.MAX_SAFE_INTEGER }) }));
    const range = { start: 0, end: Number.MAX_SAFE_INTEGER };
    await expect(source.read(range)).rejects.toMatchObject({ name: 'StorageError', code: 'UNAVAILABLE' });
  });

  test.each([undefined, Number.NaN, -1, 1.5, 2 ** 53])('is UNAVAILABLE for the size %s', async (size) => {
    const source = fromFilehandle(filehandle({ stat: async () => ({ size }) as FilehandleStat }));
    const expected = { code: 'UNAVAILABLE', message: 'the filehandle does not know the size of its object' };
    await expect(source.stat()).rejects.toMatchObject(expected);
    await expect(source.read({ start: 0, end: 1 })).rejects.toMatchObject(expected);
  });

  test('is UNAVAILABLE, not empty, where the size is 0 and there are bytes', async () => {
    const source = fromFilehandle(filehandle({ stat: async () => ({ size: 0 }) }));
    await expect(source.stat()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test.each([0, -1, 0.5, Number.NaN])('refuses chunks of %d bytes', (chunkBytes) => {
    expect(() => fromFilehandle(filehandle({}), { chunkBytes })).toThrow(RangeError);
  });

  test('streams in chunks of the requested size', async () => {
    const lengths: number[] = [];
    const source = fromFilehandle(filehandle({}), { chunkBytes: 30 });
    for await (const chunk of source.stream({ start: 5, end: 100 })) lengths.push(chunk.length);
    expect(lengths).toEqual([30, 30, 30, 5]);
    const whole = fromFilehandle(new BlobFile(new Blob([new Uint8Array(CHUNK_BYTES + 1)])));
    const { value } = await whole
      .stream({ start: 0, end: CHUNK_BYTES + 1 })
      .getReader()
      .read();
    expect(value).toHaveLength(CHUNK_BYTES);
  });
});

describe('the version of a filehandle', () => {
  const old = { size: 100, mtimeMs: 1_000.5, ctimeMs: 2_000.5, ino: 7 };

  test.each<[string, FilehandleStat]>([
    ['time', { ...old, mtimeMs: 1_000.75 }],
    ['time of the last change', { ...old, ctimeMs: 2_000.75 }],
    ['size', { ...old, size: 99 }],
    ['inode', { ...old, ino: 8 }],
  ])('is another one for another %s', async (_, changed) => {
    const source = fromFilehandle(filehandle({ stat: stats(old, changed) }));
    const { version } = await source.stat();
    expect(version).toBeDefined();
    expect((await source.stat()).version).not.toBe(version);
  });

  test('is undefined if the filehandle knows only the size', async () => {
    await expect(fromFilehandle(filehandle({})).stat()).resolves.toEqual({ size: 100 });
  });

  test.each<[string, FilehandleStat]>([
    ['another version', { ...old, mtimeMs: 2_000 }],
    ['another size', { size: 99 }],
  ])('a read during which the object becomes %s is CHANGED', async (_, after) => {
    const before = after.mtimeMs === undefined ? { size: 100 } : old;
    const source = fromFilehandle(filehandle({ stat: stats(before, after) }));
    await expect(source.read({ start: 0, end: 10 })).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('a stream breaks off with CHANGED at the chunk before which the object changed', async () => {
    const source = fromFilehandle(filehandle({ stat: stats(old, old, { ...old, ino: 8 }) }), { chunkBytes: 10 });
    const reader = source.stream({ start: 0, end: 100 }).getReader();
    await expect(reader.read()).resolves.toMatchObject({ value: BYTES.slice(0, 10) });
    await expect(reader.read()).rejects.toMatchObject({ code: 'CHANGED' });
  });
});

describe('the signal', () => {
  test('is handed to the filehandle', async () => {
    const read = vi.fn<Filehandle['read']>(async (length) => new Uint8Array(length));
    const { signal } = new AbortController();
    await fromFilehandle(filehandle({ read })).read({ start: 0, end: 10 }, { signal });
    expect(read).toHaveBeenCalledWith(10, 0, { signal });
  });

  test('makes what the filehandle then throws ABORTED', async () => {
    const controller = new AbortController();
    const read: Filehandle['read'] = async (_length, _position, options) => {
      const failure = new Promise<never>((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('wrapped')));
      });
      controller.abort(new Error('gone'));
      return failure;
    };
    const source = fromFilehandle(filehandle({ read }));
    await expect(source.read({ start: 0, end: 10 }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: new Error('gone'),
    });
  });

  test('stops between two short reads of a filehandle that does not know signals', async () => {
    const controller = new AbortController();
    const read: Filehandle['read'] = async () => {
      controller.abort();
      return new Uint8Array(1);
    };
    const source = fromFilehandle(filehandle({ read }));
    await expect(source.read({ start: 0, end: 10 }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  test('breaks a stream off at once, also where the filehandle hangs', async () => {
    const controller = new AbortController();
    const source = fromFilehandle(filehandle({ read: () => NEVER }));
    const read = source.stream({ start: 0, end: 10 }, { signal: controller.signal }).getReader().read();
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('a RemoteFile', () => {
  async function failure(options: RangeServerOptions): Promise<unknown> {
    const server = await serveRanges(BYTES, options);
    try {
      return await fromFilehandle(new RemoteFile(server.url)).read({ start: 0, end: 10 });
    } catch (error) {
      return error;
    } finally {
      await server.close();
    }
  }

  test('of a server that refuses is ACCESS_DENIED, and of one that is busy transient', async () => {
    expect(await failure({ status: 403 })).toMatchObject({ code: 'ACCESS_DENIED', isTransient: false });
    expect(await failure({ status: 503 })).toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  });

  test('of a server that hides the size is UNAVAILABLE, not empty', async () => {
    expect(await failure({ hidesContentRange: true })).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the filehandle does not know the size of its object',
    });
  });

  test('without a connection fails with a transient error without the URL', async () => {
    const server = await serveRanges(BYTES);
    await server.close();
    const source = fromFilehandle(new RemoteFile(server.url));
    const error: unknown = await source.read({ start: 0, end: 10 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: true, message: 'cannot connect to the server' });
  });
});
