import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { areInstalled, byteSourceContract, type ContractSubject, startServer, type TestServer } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bucket } from '../../src/s3/bucket.js';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';
import { type S3Source, s3Source } from '../../src/s3/s3-source.js';
import { ManualClock } from '../manual-clock.js';
import { objectStoreContract } from '../object-store-contract.js';
import { awkwardKeys } from './awkward-keys.js';

interface Gateway {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  readonly versionedBucket: string;
}

const START_MILLISECONDS = 120_000;
const range = { start: 5, end: 10 };

let server: TestServer<Gateway>;
let count = 0;

function options(bucket: 'bucket' | 'versionedBucket' = 'bucket') {
  const { endpoint, accessKeyId, secretAccessKey } = server.details;
  const credentials = { accessKeyId, secretAccessKey };
  return { bucket: server.details[bucket], endpoint, forcePathStyle: true, credentials };
}

/** Puts an object at a key that stores may refuse. */
async function putAt(
  key: string,
  body: Uint8Array<ArrayBuffer>,
  kind: 'bucket' | 'versionedBucket',
): Promise<S3Source> {
  const bucket = new Bucket(options(kind));
  const source = s3Source({ ...options(kind), key });
  const url = new URL((await s3Source({ ...options(kind), key, credentials: undefined }).presign(range)).url);
  await bucket.call({ method: 'PUT', url, body }, { key, signal: undefined });
  return source;
}

describe.skipIf(!areInstalled('radosgw', 'ceph-mon', 'ceph-osd'))('Ceph radosgw', () => {
  beforeAll(async () => {
    server = await startServer('radosgw.mjs');
  }, START_MILLISECONDS);
  afterAll(() => server.stop());

  byteSourceContract('s3Source', (bytes) => createObject(bytes, 'bucket'), { without: ['bytesRead'] });
  byteSourceContract('s3Source with versions', (bytes) => createObject(bytes, 'versionedBucket'), {
    without: ['bytesRead'],
  });
  const createStore = () => ({ store: s3ObjectStore({ ...options(), prefix: `store ${++count}/` }) });
  objectStoreContract('s3ObjectStore', createStore, { foreignKeys: true });
  keyTests();
  presignTests();
  uploadTests();
  refusalTests();
});

async function createObject(bytes: Uint8Array, bucket: 'bucket' | 'versionedBucket'): Promise<ContractSubject> {
  const store = s3ObjectStore(options(bucket));
  const key = `objects/${++count}`;
  await store.put(key, bytes);
  return {
    source: store.source(key),
    missing: store.source('missing'),
    replace: (replacement) => store.put(key, replacement),
  };
}

function keyTests(): void {
  test.each([...awkwardKeys, '/leading', '//two'])(
    'an object with the key %j is stored, read and presigned',
    async (key) => {
      const body = new TextEncoder().encode(`the object ${key}`);
      const source = await putAt(key, body, 'bucket');
      expect(await source.read({ start: 0, end: 10_000 })).toEqual(body);
      const { version } = await source.stat();
      const { url, headers = {} } = await source.presign(range, { version });
      const answer = await fetch(url, { headers });
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(body);
    },
  );

  test.each(['plain', 'a folder/ünd+more', '/leading'])(
    'the key %j is signed with the bucket in the name of the host',
    async (key) => {
      const body = new TextEncoder().encode(`the object ${key}`);
      await putAt(key, body, 'bucket');
      const endpoint = server.details.endpoint.replace('127.0.0.1', 'localhost');
      const source = s3Source({ ...options(), key, endpoint, forcePathStyle: false, fetch: fetchFromLoopback });
      expect((await source.stat()).size).toBe(body.length);
      expect(await source.read({ start: 0, end: 10_000 })).toEqual(body);
    },
  );
}

/** Calls `fetch` for names that no resolver knows. */
const fetchFromLoopback: typeof globalThis.fetch = async (input, init) => {
  const { host, port, pathname: path } = new URL(input instanceof Request ? input.url : input);
  const headers = { ...Object.fromEntries(new Headers(init?.headers)), host };
  const sent = request({ host: '127.0.0.1', port, path, method: init?.method, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await answer.toArray()) as Buffer[];
  const names = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isEmpty = init?.method === 'HEAD' || chunks.length === 0;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers: names });
};

function presignTests(): void {
  const before = new TextEncoder().encode('before it was replaced');
  const after = new TextEncoder().encode('after it was replaced!');

  test('a presigned URL is split by Range, and demands the version', async () => {
    const source = await putAt(`presigned ${++count}`, before, 'bucket');
    const { version } = await source.stat();
    const { url, headers = {} } = await source.presign(range, { version });
    expect(Object.keys(headers)).toEqual(['If-Match']);
    for (const [first, last] of [
      [5, 9],
      [7, 8],
    ]) {
      const answer = await fetch(url, { headers: { ...headers, range: `bytes=${first}-${last}` } });
      expect(answer.status).toBe(206);
      expect(await answer.text()).toBe('before it was replaced'.slice(first, (last ?? 0) + 1));
    }
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { headers: { 'If-Match': '"another"' } })).status).toBe(403);
    await putAt(source.key.slice(source.key.lastIndexOf('/') + 1), after, 'bucket');
    expect((await fetch(url, { headers })).status).toBe(412);
  });

  test('where the bucket keeps versions, a presigned URL leads to the old one', async () => {
    const key = `presigned ${++count}`;
    const source = await putAt(key, before, 'versionedBucket');
    const { version } = await source.stat();
    const { url, headers } = await source.presign(range, { version });
    expect(headers).toBeUndefined();
    await putAt(key, after, 'versionedBucket');
    expect((await source.stat()).version).not.toBe(version);
    expect(await (await fetch(url, { headers: { range: 'bytes=0-5' } })).text()).toBe('before');
  });

  test('a presigned URL expires, and cannot be changed', async () => {
    const key = `presigned ${++count}`;
    const source = await putAt(key, before, 'bucket');
    const { url } = await source.presign(range);
    expect((await fetch(url)).status).toBe(200);
    const changed = url.replace(/(X-Amz-Signature=)./, (_, name: string) => `${name}_`);
    expect((await fetch(changed)).status).toBe(403);
    const clock = new ManualClock();
    clock.now = () => Date.now() - 120_000;
    const expired = await s3Source({
      ...options(),
      key,
      presignSeconds: 60,
      ...clock.options,
    }).presign(range);
    expect((await fetch(expired.url)).status).toBe(403);
  });
}

function uploadTests(): void {
  async function* chunksOf(byteLength: number, onEnd: () => void = () => undefined): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < byteLength; at += 1_000_000) {
      const length = Math.min(1_000_000, byteLength - at);
      yield Uint8Array.from({ length }, (_, index) => ((at + index) * 31) >> 5);
    }
    onEnd();
  }

  test('a stream of unknown size is stored in parts', async () => {
    const store = s3ObjectStore({ ...options(), partBytes: 5 * 1024 * 1024 });
    await store.put('large', chunksOf(12_345_678));
    const source = store.source('large');
    const { size, version } = await source.stat();
    expect(size).toBe(12_345_678);
    expect(version).toMatch(/-3"$/);
    const start = 5_242_870;
    const expected = Uint8Array.from({ length: 20 }, (_, index) => ((start + index) * 31) >> 5);
    expect(await source.read({ start, end: start + 20 }, { version })).toEqual(expected);
  });

  test('a stream that fails leaves neither an object nor parts', async () => {
    const store = s3ObjectStore({ ...options(), partBytes: 5 * 1024 * 1024 });
    const failure = new Error('the stream ends here');
    const fail = (): never => {
      throw failure;
    };
    await expect(store.put('broken', chunksOf(12_345_678, fail))).rejects.toBe(failure);
    await expect(store.source('broken').stat()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const bucket = new Bucket(options());
    const url = new URL('?uploads', bucket.url);
    const { text } = await bucket.call({ method: 'GET', url }, { key: '', signal: undefined });
    expect(text).not.toContain('<Upload>');
  });
}

function refusalTests(): void {
  test.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'ACCESS_DENIED'],
    ['an unknown key', { accessKeyId: 'unknown' }, 'ACCESS_DENIED'],
  ])('%s is refused', async (_, wrong, code) => {
    const credentials = { ...options().credentials, ...wrong };
    const source = s3Source({ ...options(), key: 'any', credentials });
    await expect(source.stat()).rejects.toMatchObject({ code });
    await expect(source.read(range)).rejects.toMatchObject({ code });
  });

  test('a wrong clock is a lasting ACCESS_DENIED that names the reason', async () => {
    const clock = new ManualClock();
    const source = s3Source({ ...options(), key: 'any', ...clock.options });
    const message = 'the store refuses access to the object: RequestTimeTooSkewed';
    await expect(source.stat()).rejects.toMatchObject({ code: 'ACCESS_DENIED', isTransient: false, message });
  });

  test('a missing bucket is told from a missing object', async () => {
    const missing = s3Source({ ...options(), key: 'missing' });
    await expect(missing.stat()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'there is no such object' });
    const elsewhere = s3Source({ ...options(), bucket: 'no-such-bucket', key: 'any' });
    const error = { code: 'UNAVAILABLE', isTransient: false, message: 'there is no such bucket' };
    await expect(elsewhere.stat()).rejects.toMatchObject(error);
    await expect(elsewhere.read(range)).rejects.toMatchObject(error);
    const store = s3ObjectStore({ ...options(), bucket: 'no-such-bucket' });
    await expect(store.put('a', Uint8Array.of(1))).rejects.toMatchObject(error);
    await expect(store.delete('a')).rejects.toMatchObject(error);
  });
}
