import { S3Server } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toBucketUrl, toObjectUrl } from '../../src/s3/bucket.js';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';
import { type S3Source, type S3SourceOptions, s3Source } from '../../src/s3/s3-source.js';
import { awkwardKeys } from './awkward-keys.js';

describe('the URL of a bucket', () => {
  test.each([
    [{ bucket: 'b' }, 'https://b.s3.us-east-1.amazonaws.com/'],
    [{ bucket: 'b', region: 'eu-west-3' }, 'https://b.s3.eu-west-3.amazonaws.com/'],
    [{ bucket: 'b', region: 'eu-west-3', forcePathStyle: true }, 'https://s3.eu-west-3.amazonaws.com/b/'],
    [{ bucket: 'b.c-d_e', endpoint: 'http://[::1]:7480', forcePathStyle: true }, 'http://[::1]:7480/b.c-d_e/'],
    [{ bucket: 'b', endpoint: 'https://example.org:8443' }, 'https://b.example.org:8443/'],
    [{ bucket: 'b', endpoint: 'https://example.org/s3/', forcePathStyle: true }, 'https://example.org/s3/b/'],
    [{ bucket: 'b', endpoint: 'https://example.org/?x#y', forcePathStyle: true }, 'https://example.org/b/'],
  ])('of %o is %s', (location, url) => {
    expect(toBucketUrl(location).href).toBe(url);
  });

  test.each([
    { bucket: '' },
    { bucket: '..' },
    { bucket: 'a/b' },
    { bucket: 'evil.example/' },
    { bucket: 'a@b' },
    { bucket: 'b', endpoint: 'example.org' },
    { bucket: 'b', endpoint: 'ftp://example.org' },
    { bucket: 'b', endpoint: 'https://user:secret@example.org', forcePathStyle: true },
    // In these, the bucket would be lost, or another one.
    { bucket: 'b', endpoint: 'http://127.0.0.1:7480' },
    { bucket: 'b', endpoint: 'http://[::1]:7480' },
    { bucket: 'Upper', endpoint: 'https://example.org' },
  ])('refuses %o', (location) => {
    expect(() => toBucketUrl(location)).toThrow(TypeError);
  });
});

describe('the URL of an object', () => {
  const bucketUrl = new URL('https://example.org/b/');

  test.each([...awkwardKeys, '/leading', '//example.com/a', 'nul\0', '%2e%2e'])(
    'with the key %j leads to it',
    (key) => {
      const url = toObjectUrl(bucketUrl, key);
      expect(url.origin).toBe('https://example.org');
      expect(url.search).toBe('');
      expect(url.hash).toBe('');
      expect(url.pathname).toMatch(/^\/b\/[A-Za-z0-9._~%/-]*$/);
      expect(decodeURIComponent(url.pathname)).toBe(`/b/${key}`);
      expect(new URL(url.href).href).toBe(url.href);
    },
  );

  test.each(['', '.', '..', 'a/../b', 'a/.', './a', '\ud800'])('with the key %j is INVALID_KEY', (key) => {
    expect(() => toObjectUrl(bucketUrl, key)).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
  });
});

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
