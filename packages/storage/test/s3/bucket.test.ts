import { S3Server } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';
import { type S3Source, type S3SourceOptions, s3Source } from '../../src/s3/s3-source.js';

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
const body = Uint8Array.of(1);
const range = { start: 4, end: 9 };
const methods: (string | undefined)[] = [];

let server: S3Server;

beforeEach(async () => {
  server = await S3Server.start({ keys });
  await s3ObjectStore(options()).put('object', body);
  methods.length = 0;
});
afterEach(() => server.close());

function options(): Omit<S3SourceOptions, 'key'> {
  return { bucket: server.bucket, endpoint: server.endpoint, forcePathStyle: true, credentials: keys };
}

function open(overrides: Partial<S3SourceOptions> = {}): S3Source {
  return s3Source({ ...options(), key: 'object', ...overrides });
}

const fetch: typeof globalThis.fetch = (url, init) => {
  methods.push(init?.method);
  return globalThis.fetch(url, init);
};

test('a missing object of a known bucket is NOT_FOUND without another request', async () => {
  const source = open({ key: 'missing', fetch });
  await expect(source.stat()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'there is no such object' });
  expect(methods).toEqual(['HEAD']);
  await expect(source.read(range)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'there is no such object' });
});

test('a missing object checks its bucket once', async () => {
  const other = await S3Server.start({ keys });
  const sources = ['a', 'b'].map((key) => open({ endpoint: other.endpoint, key, fetch }));
  const stats = sources.map((source) => source.stat().catch((error: unknown) => error));
  for (const error of await Promise.all(stats)) expect(error).toMatchObject({ code: 'NOT_FOUND' });
  await expect(sources[0]?.stat()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(methods).toEqual(Array.from({ length: 4 }, () => 'HEAD'));
  await other.close();
});

test('a missing object is NOT_FOUND if the store hides whether the bucket exists', async () => {
  const other = await S3Server.start({ keys });
  other.interfere = ({ key }) => ({ status: key === '' ? 403 : 404, headers: {}, body: new Uint8Array() });
  await expect(open({ endpoint: other.endpoint }).stat()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await other.close();
});

test('a missing bucket is UNAVAILABLE', async () => {
  const missing = { code: 'UNAVAILABLE', message: 'there is no such bucket', isTransient: false };
  const source = open({ bucket: 'another' });
  await expect(source.stat()).rejects.toMatchObject(missing);
  await expect(source.read(range)).rejects.toMatchObject(missing);
  const store = s3ObjectStore({ ...options(), bucket: 'another' });
  await expect(store.put('a', body)).rejects.toMatchObject(missing);
  await expect(store.delete('a')).rejects.toMatchObject(missing);
  await expect(store.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(missing);
});
