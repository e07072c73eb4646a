import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from '@htskit/testing';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { FileAccess } from '../../src/file/file-access.node.js';
import { blockingCalls, threadedCalls } from '../../src/file/file-descriptor.node.js';
import { type FileSource, fileSource } from '../../src/file/file-source.node.js';
import { folderStore } from '../../src/file/folder-store.node.js';

/** The type of ext4. */
const LOCAL = 0xef53;
const NFS = 0x6969;

const folder = mkdtempSync(join(tmpdir(), 'htskit-access-'));
const path = join(folder, 'file');
writeFileSync(path, new Uint8Array(100_000));

const sources: FileSource[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(sources.splice(0).map((source) => source.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Counts the blocking calls from now on. */
function countBlocking(): () => number {
  const spies = (['stat', 'open', 'read', 'realpath'] as const).map((name) => vi.spyOn(blockingCalls, name));
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

/** An access that has read the type of its file system. */
async function known(type: number, now?: () => number): Promise<FileAccess> {
  const read = deferred<void>();
  const readType = async (): Promise<number> => {
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => read.resolve())));
    return type;
  };
  const access = new FileAccess(path, { readType, now });
  expect(access.calls).toBe(threadedCalls);
  await read.promise;
  await Promise.resolve();
  return access;
}

function open(access: FileAccess): FileSource {
  const source = fileSource(path, { access });
  sources.push(source);
  return source;
}

async function use(source: FileSource): Promise<void> {
  await source.stat();
  await source.read({ start: 0, end: 100 });
  await source.read({ start: 0, end: 100 });
  await new Response(source.stream({ start: 0, end: 100_000 })).arrayBuffer();
}

test.each([
  ['NFS', 0x6969],
  ['Lustre', 0x0bd00bd0],
  ['CIFS', 0xff534d42],
  ['CIFS as a signed number', 0xff534d42 | 0],
  ['SMB 2', 0xfe534d42],
  ['FUSE', 0x65735546],
  ['Ceph', 0x00c36400],
  ['GPFS', 0x47504653],
  ['BeeGFS', 0x19830326],
  ['9P', 0x01021997],
  ['AFS', 0x5346414f],
])('no call blocks on %s', async (_, type) => {
  const access = await known(type);
  const count = countBlocking();
  await use(open(access));
  expect([access.calls, count()]).toEqual([threadedCalls, 0]);
});

test('short calls block on a local file system', async () => {
  const access = await known(LOCAL);
  const count = countBlocking();
  await use(open(access));
  expect(count()).toBeGreaterThan(3);
});

test('no call blocks before the type of the file system is known', async () => {
  const type = deferred<number>();
  const access = new FileAccess(path, { readType: () => type.promise });
  const count = countBlocking();
  await use(open(access));
  expect(count()).toBe(0);
  type.resolve(LOCAL);
  await expect.poll(() => access.blockingCalls).toBeDefined();
});

/** An access that has made a call for each of some durations. */
async function after(durations: readonly number[], run = ({ calls }: FileAccess): unknown => calls.stat(path)) {
  let now = 0;
  let duration = 0;
  const access = await known(LOCAL, () => {
    now += duration;
    return now;
  });
  for (duration of durations) run(access);
  duration = 0;
  return access;
}

test.each<[string, (access: FileAccess) => unknown]>([
  ['stat', ({ calls }) => calls.stat(path)],
  ['lookup', ({ calls }) => calls.realpath(path)],
  ['failing stat', ({ calls }) => expect(() => calls.stat(join(folder, 'missing'))).toThrow('ENOENT')],
])('no call blocks again after a %s took over 5 ms three times', async (_, run) => {
  expect((await after([5, 5, 5], run)).blockingCalls).toBeDefined();
  const access = await after([5.1, 5.1, 5.1], run);
  expect(access.calls).toBe(threadedCalls);
  const count = countBlocking();
  await use(open(access));
  expect(count()).toBe(0);
});

test.each([
  ['three of ten slow calls', [6, 0, 0, 0, 6, 0, 0, 0, 0, 6], false],
  ['three of eleven slow calls', [6, 0, 0, 0, 6, 0, 0, 0, 0, 0, 6], true],
  ['two slow calls in a row, again and again', Array.from({ length: 40 }, (_, at) => (at % 10 < 2 ? 6 : 0)), true],
])('%s: calls block afterwards: %#', async (_, durations, isBlocking) => {
  expect((await after(durations)).blockingCalls !== undefined).toBe(isBlocking);
});

test('one slow file slows the others of its folder, and no other folder', async () => {
  let now = 0;
  const slow = await known(LOCAL, () => {
    now += 6;
    return now;
  });
  const fast = await known(LOCAL, () => 0);
  for (let count = 0; count < 3; count++) await open(slow).stat();
  expect([slow.blockingCalls, fast.blockingCalls]).toEqual([undefined, expect.anything()]);
});

test('a setting of true or false is final', async () => {
  const readType = (): Promise<number> => Promise.reject(new Error('no look at the file system is expected'));
  let now = 0;
  const tick = (): number => {
    now += 100;
    return now;
  };
  const always = new FileAccess(path, { blocking: true, readType, now: tick });
  await use(open(always));
  expect(always.calls).toBe(blockingCalls);
  const count = countBlocking();
  await use(open(new FileAccess(path, { blocking: false, readType })));
  expect(count()).toBe(0);
});

test('reads the type of the folder of a file that does not exist yet', async () => {
  const asked: string[] = [];
  const readType = async (name: string): Promise<number> => {
    asked.push(name);
    if (name !== folder) throw new Error('ENOENT');
    return LOCAL;
  };
  const access = new FileAccess(join(folder, 'later'), { readType });
  await expect.poll(() => access.blockingCalls).toBeDefined();
  expect(asked).toEqual([join(folder, 'later'), folder]);
});

test('asks again if the type of the file system cannot be read', async () => {
  let isUp = false;
  const readType = async (): Promise<number> => {
    if (!isUp) throw new Error('EIO');
    return LOCAL;
  };
  const access = new FileAccess(path, { readType });
  expect(access.calls).toBe(threadedCalls);
  await new Promise((resolve) => setImmediate(resolve));
  expect(access.calls).toBe(threadedCalls);
  isUp = true;
  await expect.poll(() => access.blockingCalls).toBeDefined();
});

test('the objects of a folder store share the access of their store', async () => {
  const store = folderStore(folder, { access: await known(NFS) });
  const count = countBlocking();
  const source = store.source('file');
  await source.read({ start: 0, end: 100 });
  await source.close?.();
  expect(count()).toBe(0);
});

test.runIf(process.platform === 'linux')('recognises the file system of a temporary folder', async () => {
  const access = new FileAccess(folder);
  await vi.waitFor(() => {
    void access.calls;
    expect(access.blockingCalls).toBeDefined();
  });
});
