import type { ByteSource, ObjectStore } from '@htskit/io';
import { memoryStore } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { beforeEach, expect, test } from 'vitest';
import { storeObjects } from '../../src/objects/store-objects.js';
import { findFiles } from './find-files.js';

let store: ObjectStore;

beforeEach(() => {
  store = memoryStore();
});

async function put(objects: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, fixture] of Object.entries(objects)) await store.put(key, readFixture(fixture));
}

function sizeOf(fixture: string): number {
  return readFixture(fixture).length;
}

test('uses the key after the prefix without the extension as the id, and finds the index beside it', async () => {
  await put({
    'trio/cohort/NA1.bam': 'reads.bam',
    'trio/cohort/NA1.bai': 'reads.bam.bai',
    'trio/cohort/NA1.cram': 'reads.cram',
    'trio/cohort/NA1.bcf': 'variants.bcf',
    'trio/cohort/NA1.bcf.csi': 'variants.bcf.csi',
  });
  for (const prefix of ['trio', 'trio/']) {
    const objects = storeObjects(store, { prefix });
    expect(await findFiles(objects, 'cohort/NA1')).toEqual([
      ['BAM', sizeOf('reads.bam'), sizeOf('reads.bam.bai')],
      ['CRAM', sizeOf('reads.cram'), undefined],
    ]);
    expect(await findFiles(objects, 'cohort/NA1', 'variants')).toEqual([
      ['BCF', sizeOf('variants.bcf'), sizeOf('variants.bcf.csi')],
    ]);
    expect(await objects.list()).toEqual([
      { id: 'cohort/NA1', datatype: 'reads', formats: ['BAM', 'CRAM'] },
      { id: 'cohort/NA1', datatype: 'variants', formats: ['BCF'] },
    ]);
  }
  expect(await findFiles(storeObjects(store), 'trio/cohort/NA1')).toHaveLength(2);
  expect(await findFiles(storeObjects(store, { prefix: 'tri' }), 'o/cohort/NA1')).toBeUndefined();
});

test.each(['a//b', '../a', 'x'.repeat(1024), 'not portable'])(
  'an id that no key of the store can be, "%s", is unknown',
  async (id) => {
    expect(await storeObjects(store).resolve(id, 'reads')).toBeUndefined();
  },
);

test('passes on where clients find a file, by its whole key', async () => {
  await put({ 'trio/a.bam': 'reads.bam' });
  const locate = (key: string) => async () => ({ url: `https://store.example.org/${key}` });
  const [proxied] = (await storeObjects(store, { prefix: 'trio' }).resolve('a', 'reads')) ?? [];
  expect(proxied?.locate).toBeUndefined();
  const [file] = (await storeObjects(store, { prefix: 'trio', locate }).resolve('a', 'reads')) ?? [];
  const { signal } = new AbortController();
  const location = await file?.locate?.({ start: 0, end: 4 }, { signal, version: '1' });
  expect(location).toEqual({ url: 'https://store.example.org/trio/a.bam' });
});

test('decrypts encrypted files, which clients never fetch from the store', async () => {
  await put({ 'a.bam.c4gh': 'reads.bam', 'a.bam.c4gh.bai': 'reads.bam.bai' });
  const locate = () => async () => ({ url: 'https://store.example.org/' });
  expect(await storeObjects(store, { locate }).resolve('a', 'reads')).toBeUndefined();
  const decrypted: string[] = [];
  const decrypt = (stored: ByteSource): ByteSource => {
    decrypted.push(stored.key);
    return stored;
  };
  const [file] = (await storeObjects(store, { locate, decrypt }).resolve('a', 'reads')) ?? [];
  expect(file).toMatchObject({ format: 'BAM', isEncrypted: true });
  expect(file?.locate).toBeUndefined();
  expect(decrypted).toContain(store.source('a.bam.c4gh').key);
});

test('notices a file that is replaced', async () => {
  await put({ 'a.bam': 'reads.bam' });
  const objects = storeObjects(store, { statSeconds: 0 });
  const [file] = (await objects.resolve('a', 'reads')) ?? [];
  const before = await file?.data.stat();
  await put({ 'a.bam': 'straddle.bam' });
  const after = await file?.data.stat();
  expect(after?.size).toBe(sizeOf('straddle.bam'));
  expect(after?.version).not.toBe(before?.version);
  await expect(file?.data.read({ start: 0, end: 1 }, { version: before?.version })).rejects.toMatchObject({
    code: 'CHANGED',
  });
});
