import { type ObjectStore, StorageError } from '@htskit/io';
import { importFasta } from '@htskit/sequences';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openBucketSequences } from '../../src/sequences/bucket-sequences.node.js';

/** The MD5 of chr1 in genome.fa. */
const CHR1 = { kind: 'md5', digest: '8d7cdef404cd54bc03939a96b12c7488' } as const;

/** A bucket that fails until `isUp`. */
class Bucket {
  readonly messages: string[] = [];
  isUp = false;
  readonly #objects = memoryStore();

  async fill(): Promise<void> {
    await importFasta({ store: this.#objects, data: memorySource(readFixture('genome.fa')) });
  }

  get store(): ObjectStore {
    const objects = this.#objects;
    return {
      source: (key, options) => {
        if (this.isUp) return objects.source(key, options);
        const fail = (): never => {
          throw new StorageError('UNAVAILABLE', 'no answer', { key, isTransient: true });
        };
        return { key, stat: async () => fail(), read: async () => fail(), stream: fail };
      },
      put: (key, content) => objects.put(key, content),
      list: (prefix) => objects.list(prefix),
      delete: (key) => objects.delete(key),
    };
  }

  /** Opens its sequences; all delays are over at once. */
  open(): ReturnType<typeof openBucketSequences> {
    const sleep = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    return openBucketSequences(this.store, { name: 's3://b', sleep, log: (message) => this.messages.push(message) });
  }
}

test('the sequences of a bucket that does not respond are found once it does', async () => {
  const bucket = new Bucket();
  await bucket.fill();
  const sequences = await bucket.open();
  await expect(sequences.find(CHR1)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  await expect(sequences.collections.find('x')).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  expect(await sequences.collections.list()).toEqual([]);
  bucket.isUp = true;
  await expect.poll(() => bucket.messages).toHaveLength(2);
  expect(bucket.messages).toEqual([
    's3://b does not respond; its sequences are served once it does',
    's3://b responds; its sequences are served',
  ]);
  expect(await sequences.find(CHR1)).toHaveLength(1);
  expect(await sequences.collections.list()).toHaveLength(1);
  await sequences.close();
});

test('a bucket without a store is refused, also if it responds late', async () => {
  const early = new Bucket();
  early.isUp = true;
  await expect(early.open()).rejects.toMatchObject({ code: 'NOT_A_STORE' });
  const late = new Bucket();
  const sequences = await late.open();
  late.isUp = true;
  await expect.poll(() => late.messages).toHaveLength(2);
  expect(late.messages[1]).toMatch(/^s3:\/\/b: .*store/);
  await expect(sequences.find(CHR1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
