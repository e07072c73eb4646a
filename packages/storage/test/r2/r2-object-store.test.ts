import type { ObjectStore } from '@htskit/io';
import { byteSourceContract, failureCode, objectBytes } from '@htskit/testing';
import { startLocalWorker } from '@htskit/testing/workerd';
import { afterAll, describe, expect, test } from 'vitest';
import { type R2BucketBinding, r2ObjectStore } from '../../src/r2/index.js';
import { s3ObjectStore } from '../../src/s3/index.js';
import { objectStoreContract } from '../object-store-contract.js';
import { keysOf } from '../stored-objects.js';

const { bucket: localBucket, dispose } = await startLocalWorker();
afterAll(dispose);

const requests: string[] = [];

/** The local bucket, which records its requests and lists two keys at a time. */
const bucket: R2BucketBinding = {
  head: (key) => record('head', () => localBucket.head(key)),
  get: (key, options) => record('get', () => localBucket.get(key, options)),
  put: (key, value, options) => record('put', () => localBucket.put(key, value, options)),
  list: (options) => record('list', () => localBucket.list({ ...options, limit: 2 })),
  delete: (key) => record('delete', () => localBucket.delete(key)),
};

function record<Result>(name: string, request: () => Promise<Result>): Promise<Result> {
  requests.push(name);
  return request();
}

let prefixCount = 0;

/** Returns a prefix of the bucket that has no objects yet. */
function newPrefix(): string {
  prefixCount++;
  return `part ${prefixCount}/`;
}

byteSourceContract(
  'the source of r2ObjectStore',
  async (bytes) => {
    const store = r2ObjectStore(bucket, { prefix: newPrefix() });
    await store.put('object', bytes);
    return {
      source: store.source('object'),
      missing: store.source('missing'),
      replace: (replacement) => store.put('object', replacement),
    };
  },
  { without: ['bytesRead'] },
);

objectStoreContract(
  'r2ObjectStore',
  () => {
    const prefix = newPrefix();
    const placeForeign = async (): Promise<string[]> => {
      for (const key of ['a//b', 'folder/', 'folder/other']) await bucket.put(prefix + key, Uint8Array.of(1), {});
      return ['folder/other'];
    };
    return { store: r2ObjectStore(bucket, { prefix }), placeForeign };
  },
  { foreignKeys: true },
);

describe('requests', () => {
  test('a read of a version is one, whether or not the object was replaced', async () => {
    const store: ObjectStore = r2ObjectStore(bucket, { prefix: newPrefix() });
    const source = store.source('a');
    await store.put('a', objectBytes);
    const { version = '' } = await source.stat();
    requests.length = 0;
    expect(await source.read({ start: 5, end: 9 }, { version })).toEqual(objectBytes.slice(5, 9));
    expect(requests).toEqual(['get']);
    await store.put('a', Uint8Array.of(1));
    requests.length = 0;
    expect(await failureCode(() => source.read({ start: 5, end: 9 }, { version }))).toBe('CHANGED');
    expect(requests).toEqual(['get']);
  });

  test('a read past the end needs a second one', async () => {
    const store = r2ObjectStore(bucket, { prefix: newPrefix() });
    await store.put('a', objectBytes);
    requests.length = 0;
    expect(await store.source('a').read({ start: objectBytes.length, end: objectBytes.length + 1 })).toHaveLength(0);
    expect(requests).toEqual(['get', 'head']);
  });
});

describe('failures', () => {
  /** A store whose bucket fails with the message of an error of R2. */
  function failingStore(message: string): ObjectStore {
    const fail = (): Promise<never> => Promise.reject(new Error(message));
    return r2ObjectStore({ head: fail, get: fail, put: fail, list: fail, delete: fail });
  }

  test.each([
    ['get: We encountered an internal error. Please try again. (10001)', { code: 'UNAVAILABLE', isTransient: true }],
    ['get: Reduce your rate of simultaneous requests. (10058)', { code: 'UNAVAILABLE', isTransient: true }],
    ['Network connection lost.', { code: 'UNAVAILABLE', isTransient: true }],
    ['get: The specified bucket does not exist. (10006)', { code: 'UNAVAILABLE', isTransient: false }],
    ['get: The specified key does not exist. (10007)', { code: 'NOT_FOUND', isTransient: false }],
  ])('"%s" is %j', async (message, expected) => {
    const store = failingStore(message);
    await expect(store.source('a').stat()).rejects.toMatchObject(expected);
    await expect(store.source('a').read({ start: 0, end: 1 })).rejects.toMatchObject(expected);
    await expect(store.put('a', Uint8Array.of(1))).rejects.toMatchObject(expected);
    await expect(keysOf(store, '')).rejects.toMatchObject(expected);
  });

  test('a body that ends early is SHORT_READ', async () => {
    const store = r2ObjectStore({
      ...bucket,
      get: async (key, options) => {
        const object = await localBucket.get(key, options);
        return object && { ...object, body: new Blob(['a']).stream(), arrayBuffer: async () => new ArrayBuffer(1) };
      },
    });
    await store.put('short', Uint8Array.of(1, 2, 3));
    const source = store.source('short');
    expect(await failureCode(() => source.read({ start: 0, end: 2 }))).toBe('SHORT_READ');
    expect(await failureCode(() => new Response(source.stream({ start: 0, end: 2 })).text())).toBe('SHORT_READ');
  });
});

describe('names', () => {
  test('distinguish the sources of two buckets, and of two prefixes', () => {
    const stores = [
      r2ObjectStore(bucket),
      r2ObjectStore(bucket, { name: 'other' }),
      r2ObjectStore(bucket, { prefix: 'part/' }),
    ];
    expect(stores.map((store) => store.source('a').key)).toEqual(['r2:a', 'other:a', 'r2:part/a']);
  });

  test('a version is that of the S3 API, so that presigned URLs can require it', async () => {
    const store = r2ObjectStore(bucket, { prefix: newPrefix() });
    await store.put('a', objectBytes);
    const { version = '' } = await store.source('a').stat();
    const s3 = s3ObjectStore({ bucket: 'b', endpoint: 'https://account.r2.cloudflarestorage.com' });
    const { headers } = await s3.source('a').presign({ start: 0, end: 1 }, { version });
    expect(headers).toEqual({ 'If-Match': version });
  });
});
