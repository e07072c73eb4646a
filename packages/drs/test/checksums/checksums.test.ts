import type { ByteSource } from '@htskit/io';
import { deferred } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type Checksum, type ChecksumStore, Checksums, type DrsFile } from '../../src/index.js';
import { API, ask, BAM, checksumsOf, describeObject, post, serviceOf, sourceOf } from '../service.js';

const fileOf = (data: ByteSource, more: Partial<DrsFile> = {}): DrsFile => ({ kind: 'file', id: 'a', data, ...more });
const NEVER = (): Promise<void> => new Promise(() => undefined);

/** A store in memory that counts what is asked of it. */
function storeOf(): ChecksumStore & { readonly saved: Map<string, readonly Checksum[]> } {
  const saved = new Map<string, readonly Checksum[]>();
  return {
    saved,
    load: async (key) => saved.get(key),
    save: async (key, checksums) => void saved.set(key, checksums),
  };
}

test('are computed once for each version', async () => {
  let count = 0;
  const checksums = new Checksums({
    sleep: NEVER,
    digest: async () => {
      count++;
      return [{ type: 'md5', checksum: String(count) }];
    },
  });
  const data = sourceOf(BAM, 'a');
  let version = '1';
  const changing: ByteSource = { ...data, stat: async () => ({ size: 1000, version }) };
  const find = async () => (await checksums.find(fileOf(changing), await changing.stat()))?.[0]?.checksum;
  expect(await Promise.all([find(), find(), find()])).toEqual(['1', '1', '1']);
  version = '2';
  expect(await find()).toBe('2');
  expect(count).toBe(2);
});

test('are those of the bytes', async () => {
  const data = sourceOf(BAM, 'a');
  expect(await new Checksums({ sleep: NEVER }).find(fileOf(data), await data.stat())).toEqual(checksumsOf(BAM));
});

test('are not those of a file that is replaced while it is read', async () => {
  let version = '1';
  const data: ByteSource = { ...sourceOf(BAM, 'a'), stat: async () => ({ size: 1000, version }) };
  const checksums = new Checksums({
    sleep: NEVER,
    digest: async () => {
      version = '2';
      return [{ type: 'md5', checksum: 'stale' }];
    },
  });
  await expect(checksums.find(fileOf(data), await data.stat())).rejects.toThrow('replaced');
});

test('a request waits a while, and then is answered 202 until they are computed', async () => {
  const computed = deferred<readonly Checksum[]>();
  const checksums = { sleep: async () => undefined, digest: () => computed.promise };
  const handler = serviceOf({ checksums });
  const pending = await ask(handler, `${API}/objects/a.bam`);
  expect([pending.status, pending.headers.get('retry-after'), await pending.text()]).toEqual([202, '5', '']);
  const bulk = await ask(handler, `${API}/objects`, post({ bulk_object_ids: ['a.bam'] }));
  expect(await bulk.json()).toMatchObject({ unresolved_drs_objects: [{ error_code: 202, object_ids: ['a.bam'] }] });
  expect((await ask(handler, `${API}/objects/reads%2Fa`)).status).toBe(202);
  computed.resolve([{ type: 'md5', checksum: 'ab' }]);
  await expect.poll(async () => (await ask(handler, `${API}/objects/a.bam`)).status).toBe(200);
  expect((await describeObject(handler, 'a.bam')).checksums).toEqual([{ type: 'md5', checksum: 'ab' }]);
});

/** Returns the most files of a size that are read at once. */
async function mostAtOnce(size: number): Promise<number> {
  let running = 0;
  let most = 0;
  const checksums = new Checksums({
    sleep: NEVER,
    concurrency: 2,
    digest: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return [{ type: 'md5', checksum: 'ab' }];
    },
  });
  const sources = Array.from({ length: 10 }, (_, index) => sourceOf(BAM, String(index), { size }));
  await Promise.all(sources.map(async (data) => checksums.find(fileOf(data), await data.stat())));
  return most;
}

test('are computed a few at a time', async () => {
  expect([await mostAtOnce(2 ** 22), await mostAtOnce(2 ** 22 + 1)]).toEqual([4, 2]);
});

test('those of a short file do not wait for a long one', async () => {
  const never = new Promise<never>(() => undefined);
  const checksums = new Checksums({
    sleep: async () => undefined,
    digest: (_, { size }) => (size > 2 ** 22 ? never : Promise.resolve([{ type: 'md5', checksum: 'ab' }])),
  });
  const long = sourceOf(BAM, 'long', { size: 2 ** 40 });
  const short = sourceOf(BAM, 'short');
  expect(await checksums.find(fileOf(long), await long.stat())).toBeUndefined();
  await expect.poll(async () => checksums.find(fileOf(short), await short.stat())).toHaveLength(1);
});

test('are kept in a store, except for those of secret files', async () => {
  const store = storeOf();
  const data = sourceOf(BAM, 'a');
  const find = async (options: { digest?: () => Promise<never> }, more: Partial<DrsFile> = {}) =>
    new Checksums({ sleep: NEVER, store, ...options }).find(fileOf(data, more), await data.stat());
  await find({}, { isSecret: true });
  expect(store.saved.size).toBe(0);
  await find({});
  expect([...store.saved.keys()]).toEqual(['a\n1']);
  const fail = async (): Promise<never> => {
    throw new Error('not computed again');
  };
  expect(await find({ digest: fail })).toEqual(checksumsOf(BAM));
  await expect(find({ digest: fail }, { isSecret: true })).rejects.toThrow('not computed again');
});

test('are computed although the store fails', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('the disk is full');
  };
  const checksums = new Checksums({ sleep: NEVER, store: { load: fail, save: fail } });
  const data = sourceOf(BAM, 'a');
  expect(await checksums.find(fileOf(data), await data.stat())).toEqual(checksumsOf(BAM));
});

test('a file without a version has those of its time, and one without a time has none', async () => {
  const checksums = new Checksums({ sleep: NEVER });
  const dated: ByteSource = { ...sourceOf(BAM, 'a'), stat: async () => ({ size: 1000, modifiedAt: 1 }) };
  expect(await checksums.find(fileOf(dated), await dated.stat())).toEqual(checksumsOf(BAM));
  const bare: ByteSource = { ...sourceOf(BAM, 'b'), stat: async () => ({ size: 1000 }) };
  await expect(checksums.find(fileOf(bare), await bare.stat())).rejects.toThrow('neither a version nor a time');
});

test('those that a file names are not computed', async () => {
  const data = sourceOf(BAM, 'a');
  const known = [{ type: 'sha-256', checksum: 'cafe' }];
  const handler = serviceOf({}, { known: { kind: 'file', id: 'known', data, checksums: known } });
  expect((await describeObject(handler, 'known')).checksums).toEqual(known);
});
