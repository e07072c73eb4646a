import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { CHUNK_BYTES } from '@htskit/io';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileAccess } from '../../src/file/file-access.node.js';
import { blockingCalls } from '../../src/file/file-descriptor.node.js';
import { type FileSource, type FileSourceOptions, fileSource } from '../../src/file/file-source.node.js';

const SIZE = 3 * CHUNK_BYTES + 1000;
const OLD = Uint8Array.from({ length: SIZE }, (_, index) => (index * 31) >> 5);
const NEW = OLD.map((byte) => ~byte);
const TIME = new Date('2026-01-01');
const WHOLE = { start: 0, end: SIZE };

const folder = mkdtempSync(join(tmpdir(), 'htskit-storage-'));
const sources: FileSource[] = [];
let path: string;
let fileCount = 0;

beforeEach(() => {
  path = join(folder, `${fileCount++}.bin`);
  writeFileSync(path, OLD);
  utimesSync(path, TIME, TIME);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await Promise.all(sources.splice(0).map((source) => source.close()));
});

afterAll(() => rmSync(folder, { recursive: true }));

function open(options?: FileSourceOptions): FileSource {
  const source = fileSource(path, options);
  sources.push(source);
  return source;
}

/** Puts another file, of the same size and time, in the place of the old one. */
function replaceFile(): void {
  const replacement = `${path}.new`;
  writeFileSync(replacement, NEW);
  utimesSync(replacement, TIME, TIME);
  renameSync(replacement, path);
}

/** Overwrites the file in place, and makes sure that its time differs even on a coarse clock. */
function overwriteFile(): void {
  writeFileSync(path, NEW, { flag: 'r+' });
  utimesSync(path, new Date(), new Date('2030-01-01'));
}

/** Overwrites the file in place and restores its modification time, as `rsync --inplace --times` does. */
function overwriteUnnoticed(): void {
  const { ctimeNs } = statSync(path, { bigint: true });
  writeFileSync(path, NEW, { flag: 'r+' });
  // A coarse clock of the file system may still show the old time.
  do utimesSync(path, TIME, TIME);
  while (statSync(path, { bigint: true }).ctimeNs === ctimeNs);
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

describe.each<[string, FileSourceOptions]>([
  ['that blocks for small reads', {}],
  ['that never blocks', { blockingBytes: 0 }],
  ['that blocks for all reads', { blockingBytes: Number.POSITIVE_INFINITY }],
])('a file source %s', (_name, options) => {
  test('reads any range, clipped at the end of the file', async () => {
    const source = open(options);
    const offset = fc.oneof(fc.nat({ max: SIZE + 10 }), fc.constantFrom(0, SIZE, CHUNK_BYTES));
    const length = fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: SIZE }));
    await fc.assert(
      fc.asyncProperty(offset, length, async (start, byteLength) => {
        const range = { start, end: start + byteLength };
        const expected = OLD.slice(start, range.end);
        expect(Buffer.compare(await source.read(range), expected)).toBe(0);
        expect(Buffer.compare(await collect(source.stream(range)), expected)).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test('reads the chunks that a consumer borrows into the same memory, and other chunks into their own', async () => {
    const buffersOf = async (isBorrowed: boolean): Promise<number> => {
      const reader = open(options).stream(WHOLE, { isBorrowed }).getReader();
      const buffers = new Set<ArrayBufferLike>();
      for (let read = await reader.read(); !read.done; read = await reader.read()) buffers.add(read.value.buffer);
      return buffers.size;
    };
    expect(await buffersOf(true)).toBe(1);
    expect(await buffersOf(false)).toBe(4);
  });

  test('returns plain arrays of exactly the requested bytes', async () => {
    const bytes = await open(options).read({ start: 1, end: 4 });
    expect(bytes.constructor).toBe(Uint8Array);
    expect(bytes.buffer.byteLength).toBe(3);
  });

  test('reads into the memory of the caller if that is long enough', async () => {
    const source = open(options);
    for (const end of [1000, SIZE]) {
      const into = new Uint8Array(SIZE);
      const bytes = await source.read({ start: 1, end }, { into });
      expect([bytes.buffer === into.buffer, bytes.byteOffset, bytes.length]).toEqual([true, 0, end - 1]);
      expect(Buffer.compare(bytes, OLD.subarray(1, end))).toBe(0);
      expect((await source.read({ start: 0, end }, { into: into.subarray(0, end - 1) })).buffer).not.toBe(into.buffer);
    }
  });

  test('answers many reads at once', async () => {
    const source = open(options);
    const starts = Array.from({ length: 200 }, (_, index) => index * 5000);
    const parts = await Promise.all(starts.map((start) => source.read({ start, end: start + 100_000 })));
    expect(parts.every((part, index) => Buffer.compare(part, OLD.slice(starts[index]).slice(0, 100_000)) === 0)).toBe(
      true,
    );
  });

  test('says the size and a version that holds while the file does', async () => {
    const source = open(options);
    const stat = await source.stat();
    expect(stat.size).toBe(SIZE);
    expect(await source.stat()).toEqual(stat);
    expect(await open(options).stat()).toEqual(stat);
    const { version = '' } = stat;
    expect(Buffer.compare(await source.read(WHOLE, { version }), OLD)).toBe(0);
    expect(Buffer.compare(await collect(source.stream(WHOLE, { version })), OLD)).toBe(0);
  });

  test.each([
    ['replaced by one of the same size and time', replaceFile],
    ['overwritten', overwriteFile],
    ['overwritten and got its old time back', overwriteUnnoticed],
    ['appended to', () => appendFileSync(path, 'x')],
    ['truncated', () => truncateSync(path, 10)],
  ])('is CHANGED for the version of a file that was %s', async (_change, change) => {
    const source = open(options);
    const { version = '' } = await source.stat();
    await source.read({ start: 0, end: 1 }, { version });
    change();
    await expect(source.read({ start: 0, end: 1 }, { version })).rejects.toMatchObject({ code: 'CHANGED' });
    await expect(source.stream(WHOLE, { version }).getReader().read()).rejects.toMatchObject({ code: 'CHANGED' });
    expect((await source.stat()).version).not.toBe(version);
  });

  test('reads the new file if no version is required', async () => {
    const source = open(options);
    await source.read({ start: 0, end: 1 });
    replaceFile();
    expect(Buffer.compare(await source.read(WHOLE), NEW)).toBe(0);
  });

  test('streams the old file to its end when it is replaced meanwhile', async () => {
    const source = open(options);
    const { version = '' } = await source.stat();
    const reader = source.stream(WHOLE, { version }).getReader();
    const parts = [(await reader.read()).value ?? new Uint8Array()];
    replaceFile();
    await source.read({ start: 0, end: 1 });
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
    expect(Buffer.compare(Buffer.concat(parts), OLD)).toBe(0);
  });

  test('breaks off a stream of a version that is overwritten meanwhile', async () => {
    const source = open(options);
    const { version = '' } = await source.stat();
    const reader = source.stream(WHOLE, { version }).getReader();
    await reader.read();
    overwriteFile();
    await expect(reader.read()).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('breaks off a stream of a version that is overwritten meanwhile and gets its old time back', async () => {
    const source = open(options);
    const { version = '' } = await source.stat();
    const reader = source.stream(WHOLE, { version }).getReader();
    await reader.read();
    overwriteUnnoticed();
    await expect(reader.read()).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('breaks off a stream of a file that shrinks meanwhile', async () => {
    const reader = open(options).stream(WHOLE).getReader();
    await reader.read();
    truncateSync(path, CHUNK_BYTES + 1);
    await expect(reader.read()).rejects.toMatchObject({ code: 'SHORT_READ' });
  });

  test('is NOT_FOUND until the file exists', async () => {
    rmSync(path);
    const source = open(options);
    await expect(source.stat()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(source.read(WHOLE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(source.stream(WHOLE).getReader().read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    writeFileSync(path, NEW);
    expect(Buffer.compare(await source.read(WHOLE), NEW)).toBe(0);
    rmSync(path);
    await expect(source.read(WHOLE)).rejects.toMatchObject({ code: 'NOT_FOUND', key: path });
  });

  test.each(['sub', '0.bin/below', 'no\0path', '/dev/null', 'x'.repeat(300)])(
    'is NOT_FOUND for %.20j',
    async (name) => {
      mkdirSync(join(folder, 'sub'), { recursive: true });
      const source = fileSource(name.startsWith('/') ? name : join(folder, name), options);
      await expect(source.read({ start: 0, end: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const error: unknown = await source.stat().catch((failure: unknown) => failure);
      expect(String(error)).toBe('StorageError: there is no such file');
    },
  );

  test('refuses an invalid range before it opens the file', async () => {
    rmSync(path);
    const source = open(options);
    await expect(source.read({ start: 2, end: 1 })).rejects.toMatchObject({ code: 'INVALID_RANGE' });
    await expect(source.stream({ start: -1, end: 1 }).getReader().read()).rejects.toMatchObject({
      code: 'INVALID_RANGE',
    });
  });

  test('stops at an aborted signal', async () => {
    const source = open(options);
    const abortion = new AbortController();
    const reader = source.stream(WHOLE, { signal: abortion.signal }).getReader();
    await reader.read();
    const read = source.read(WHOLE, { signal: abortion.signal });
    abortion.abort();
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(reader.read()).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

test('the version of a file does not show its time, size and inode', async () => {
  const { version = '' } = await open().stat();
  const { mtimeNs, size, ino } = statSync(path, { bigint: true });
  expect(version).toMatch(/^[\w-]{22}$/);
  for (const fact of [mtimeNs, size, ino]) expect(version).not.toContain(String(fact));
  replaceFile();
  expect((await open().stat()).version).not.toBe(version);
});

describe('a file whose permission to read was removed', () => {
  const isRoot = process.getuid?.() === 0;

  /** Root may read every file, so the tests act as another user. */
  beforeEach(() => {
    chmodSync(folder, 0o755);
    if (isRoot) process.seteuid?.(65_534);
  });

  afterEach(() => {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, 0o644);
  });

  function removePermission(): void {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, isRoot ? 0o600 : 0o000);
    if (isRoot) process.seteuid?.(65_534);
  }

  test.each<[string, FileSourceOptions]>([
    ['blocks', {}],
    ['never blocks', { blockingBytes: 0 }],
  ])('is not read through the open descriptor by a source that %s', async (_name, options) => {
    const source = open(options);
    const { version } = await source.stat();
    expect(await source.read({ start: 0, end: 10 })).toHaveLength(10);
    removePermission();
    const denied = { code: 'ACCESS_DENIED' };
    await expect(source.read({ start: 0, end: 10 })).rejects.toMatchObject(denied);
    await expect(source.read({ start: 0, end: 10 }, { version })).rejects.toMatchObject({ code: 'CHANGED' });
    await expect(collect(source.stream({ start: 0, end: 10 }))).rejects.toMatchObject(denied);
  });

  test('is read for at most 30 seconds if it is immutable', async () => {
    let now = 0;
    const source = open({ isImmutable: true, now: () => now });
    expect(await source.read({ start: 0, end: 10 })).toHaveLength(10);
    removePermission();
    now = 29_999;
    expect(await source.read({ start: 0, end: 10 })).toHaveLength(10);
    now = 30_000;
    await expect(source.read({ start: 0, end: 10 })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});

describe('an immutable file', () => {
  test('is not looked at again while it is open, and is once it was closed', async () => {
    const source = open({ isImmutable: true });
    const { version } = await source.stat();
    expect(version).toBeDefined();
    await source.read({ start: 0, end: 1 });
    const first = await source.read({ start: 0, end: 100 }, { version: version ?? '' });
    replaceFile();
    expect(await source.read({ start: 0, end: 100 })).toEqual(first);
    await source.close();
    expect(await source.read({ start: 0, end: 100 })).not.toEqual(first);
  });

  test('is NOT_FOUND until there is one', async () => {
    const source = fileSource(`${path}.later`, { isImmutable: true });
    await expect(source.read({ start: 0, end: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    renameSync(path, `${path}.later`);
    expect(await source.read({ start: 0, end: 1 })).toHaveLength(1);
    await source.close();
  });
});

describe('a file that is replaced between the look at its path and its opening', () => {
  beforeEach(() => {
    vi.spyOn(blockingCalls, 'open').mockImplementationOnce((openedPath) => {
      replaceFile();
      return openSync(openedPath, 'r');
    });
  });

  // A slow machine would otherwise end the blocking calls, one of which replaces the file.
  const access = new FileAccess(folder, { blocking: true });

  test('is CHANGED for the version of the old one', async () => {
    const source = open({ access });
    const { version } = await source.stat();
    await expect(source.read(WHOLE, { version })).rejects.toMatchObject({ code: 'CHANGED' });
    await expect(source.read(WHOLE)).resolves.toHaveLength(SIZE);
  });

  test('is read as the new one if no version is required', async () => {
    expect(Buffer.compare(await open({ access }).read(WHOLE), NEW)).toBe(0);
  });
});

test('the key is the absolute path, unless one is given', () => {
  expect(fileSource(relative(process.cwd(), path)).key).toBe(path);
  expect(open({ key: 'k' }).key).toBe('k');
});

describe.skipIf(process.platform !== 'linux')('the descriptor', () => {
  const openCount = (): number => {
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    return links.filter((link) => link.startsWith(path)).length;
  };
  const untilClosed = (): Promise<void> => expect.poll(() => openCount()).toBe(0);

  test('is opened at the first read, and shared', async () => {
    const source = open();
    await source.stat();
    expect(openCount()).toBe(0);
    await source.read({ start: 0, end: 10 });
    const readers = [source.stream(WHOLE), source.stream(WHOLE)].map((stream) => stream.getReader());
    await Promise.all([...readers.map((reader) => reader.read()), source.read(WHOLE), source.read(WHOLE)]);
    expect(openCount()).toBe(1);
  });

  test('is closed by close(), and opened again by the next read', async () => {
    const source = open();
    await source.read({ start: 0, end: 10 });
    await source.close();
    expect(openCount()).toBe(0);
    await expect(source.read({ start: 0, end: 10 })).resolves.toHaveLength(10);
    expect(openCount()).toBe(1);
  });

  test('outlives close() while a stream uses it', async () => {
    const source = open();
    const reader = source.stream(WHOLE).getReader();
    await reader.read();
    await source.close();
    await expect(reader.read()).resolves.toMatchObject({ done: false });
    expect(openCount()).toBe(1);
    await reader.cancel();
    await untilClosed();
  });

  test('is closed when reads raced to open it', async () => {
    const source = open({ blockingBytes: 0 });
    await Promise.all(Array.from({ length: 20 }, () => source.read({ start: 0, end: 10 })));
    await expect.poll(() => openCount()).toBe(1);
    await source.close();
    await untilClosed();
  });

  test('of a replaced file is closed once it is unused', async () => {
    const source = open();
    const reader = source.stream(WHOLE).getReader();
    await reader.read();
    replaceFile();
    await source.read({ start: 0, end: 10 });
    expect(openCount()).toBe(2);
    await reader.cancel();
    await expect.poll(() => openCount()).toBe(1);
  });

  test.each<[string, (source: FileSource) => Promise<unknown>]>([
    ['read to its end', (source) => collect(source.stream(WHOLE))],
    [
      'cancelled',
      async (source) => {
        const reader = source.stream(WHOLE).getReader();
        await reader.read();
        await reader.cancel();
      },
    ],
    [
      'aborted',
      async (source) => {
        const abortion = new AbortController();
        await source.stream(WHOLE, { signal: abortion.signal }).getReader().read();
        abortion.abort();
      },
    ],
    [
      'failed',
      async (source) => {
        const reader = source.stream(WHOLE).getReader();
        await reader.read();
        truncateSync(path, 1);
        await reader.read().catch(() => undefined);
      },
    ],
  ])('is free after a stream was %s', async (_how, use) => {
    const source = open();
    await use(source);
    await source.close();
    await expect.poll(() => openCount()).toBe(0);
  });

  test('is closed when it was idle for a while, not sooner', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const source = open({ idleMilliseconds: 1000 });
    await source.read({ start: 0, end: 10 });
    vi.advanceTimersByTime(900);
    await source.read({ start: 0, end: 10 });
    vi.advanceTimersByTime(900);
    expect(openCount()).toBe(1);
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    await untilClosed();
  });

  test('is not closed for being idle while a stream uses it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const source = open({ idleMilliseconds: 1000 });
    const reader = source.stream(WHOLE).getReader();
    await reader.read();
    await source.read({ start: 0, end: 10 });
    vi.advanceTimersByTime(5000);
    expect(openCount()).toBe(1);
    await reader.cancel();
    vi.advanceTimersByTime(1100);
    vi.useRealTimers();
    await untilClosed();
  });
});
