import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { expect, test } from 'vitest';
import { type SharedCache, type SharedParts, sharedSource } from '../../src/locations/shared-source.js';

const KIB = 1024;
const VERSION = { version: 'v1' };

/** A cache in memory. */
class KeptParts implements SharedCache {
  readonly kept = new Map<string, Uint8Array>();

  async load(name: string): Promise<Uint8Array | undefined> {
    return this.kept.get(name);
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    this.kept.set(name, bytes);
  }
}

/** Opens a version of a file, as another replica would, with the ranges that are read of the file itself. */
async function openFile(
  bytes: Uint8Array,
  cache: SharedCache,
  { parts = 'ends', version = 'v1' }: { readonly parts?: SharedParts; readonly version?: string } = {},
): Promise<{ readonly source: ByteSource; readonly reads: string[] }> {
  const memory = memorySource(bytes, { key: 'file', version });
  const reads: string[] = [];
  const counted: ByteSource = {
    key: memory.key,
    stat: () => memory.stat(),
    read(range, options) {
      reads.push(`${range.start}-${range.end}`);
      return memory.read(range, options);
    },
    stream: (range, options) => memory.stream(range, options),
  };
  const source = sharedSource(counted, cache, parts);
  await source.stat();
  return { source, reads };
}

const FILE = Uint8Array.from({ length: 1024 * KIB }, (_, index) => index * 31);
const START = { start: 0, end: 128 * KIB };
const MIDDLE = { start: 512 * KIB, end: 640 * KIB };
const END = { start: 896 * KIB, end: 1024 * KIB };

test('the ends of a data file are read once for all replicas, and the rest by each', async () => {
  const cache = new KeptParts();
  for (const expected of [['0-131072', '524288-655360', '917504-1048576'], ['524288-655360']]) {
    const { source, reads } = await openFile(FILE, cache);
    for (const range of [START, MIDDLE, END]) {
      expect(await source.read(range, VERSION)).toEqual(FILE.subarray(range.start, range.end));
    }
    expect(reads).toEqual(expected);
  }
});

test('everything that is read of an index or a bigWig is shared', async () => {
  const cache = new KeptParts();
  for (const expected of [1, 0]) {
    const { source, reads } = await openFile(FILE, cache, { parts: 'all' });
    expect(await source.read(MIDDLE, VERSION)).toEqual(FILE.subarray(MIDDLE.start, MIDDLE.end));
    expect(reads).toHaveLength(expected);
  }
});

test('a range is clipped at the end of the file', async () => {
  const cache = new KeptParts();
  const { source, reads } = await openFile(FILE, cache);
  expect(await source.read({ ...END, end: 2 * FILE.length }, VERSION)).toEqual(FILE.subarray(END.start));
  expect(reads).toEqual(['917504-1048576']);
});

test('another version of a file has parts of its own', async () => {
  const cache = new KeptParts();
  const { source } = await openFile(FILE, cache);
  await source.read(START, VERSION);
  const replaced = FILE.map((byte) => byte ^ 1);
  const next = await openFile(replaced, cache, { version: 'v2' });
  expect(await next.source.read(START, { version: 'v2' })).toEqual(replaced.subarray(0, START.end));
  expect(cache.kept.size).toBe(2);
});

test('a read of a version that is not the current one is not answered from the cache', async () => {
  const cache = new KeptParts();
  const { source } = await openFile(FILE, cache);
  await source.read(START, VERSION);
  const next = await openFile(FILE, cache, { version: 'v2' });
  await expect(next.source.read(START, VERSION)).rejects.toMatchObject({ code: 'CHANGED' });
});

test('a read without a version is not shared', async () => {
  const cache = new KeptParts();
  const { source } = await openFile(FILE, cache);
  await source.read(START);
  expect(cache.kept.size).toBe(0);
});

test('what is saved does not change with the bytes that were returned', async () => {
  const cache = new KeptParts();
  const { source } = await openFile(FILE, cache);
  (await source.read(START, VERSION)).fill(0);
  expect([...cache.kept.values()]).toEqual([FILE.subarray(0, START.end)]);
});
