import type { ByteRange } from '@htskit/io';
import { checkSignature, S3Server, type SigningKeys } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { S3Credentials, S3CredentialsProvider } from '../../src/s3/credentials.js';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';
import { type S3Source, type S3SourceOptions, s3Source } from '../../src/s3/s3-source.js';
import { ManualClock } from '../manual-clock.js';
import { awkwardKeys } from './awkward-keys.js';

const keys: SigningKeys = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'session token+/=' };
const text = 'the bytes of the object';
const body = new TextEncoder().encode(text);
const range = { start: 4, end: 9 };

let server: S3Server;

beforeEach(async () => {
  server = await S3Server.start({ keys });
  await s3ObjectStore({ ...options() }).put('object', body);
});
afterEach(() => server.close());

function options(): Pick<S3SourceOptions, 'bucket' | 'endpoint' | 'forcePathStyle' | 'credentials'> {
  return { bucket: server.bucket, endpoint: server.endpoint, forcePathStyle: true, credentials: keys };
}

function open(overrides: Partial<S3SourceOptions> = {}): S3Source {
  return s3Source({ ...options(), key: 'object', ...overrides });
}

/** Returns the URL and headers of a request as the server receives it. */
async function capture(overrides: Partial<S3SourceOptions>): Promise<{ url: URL; headers: Record<string, string> }> {
  const seen: { url: URL; headers: Record<string, string> }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (typeof url !== 'string') throw new Error('expected the URL as text');
    seen.push({ url: new URL(url), headers: Object.fromEntries(new Headers(init?.headers)) });
    return new Response(null, { status: 404 });
  };
  await expect(s3Source({ bucket: 'b', key: 'k', ...overrides, fetch }).read(range)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const [first] = seen;
  if (first === undefined) throw new Error('nothing was sent');
  return first;
}

describe('signatures', () => {
  test('with the bucket in the name of the host', async () => {
    const { url, headers } = await capture({ region: 'eu-west-3', credentials: keys });
    expect(url.href).toBe('https://b.s3.eu-west-3.amazonaws.com/k');
    const request = {
      method: 'GET',
      target: url.pathname,
      headers: { ...headers, host: url.host },
      body: new Uint8Array(),
    };
    expect(checkSignature(request, keys, Date.now())).toBeUndefined();
    expect(checkSignature({ ...request, target: '/other' }, keys, Date.now())).toBe('SignatureDoesNotMatch');
  });

  test.each(awkwardKeys)('of the key %j', async (key) => {
    const { url, headers } = await capture({ key, credentials: keys, forcePathStyle: true });
    const request = {
      method: 'GET',
      target: url.pathname,
      headers: { ...headers, host: url.host },
      body: new Uint8Array(),
    };
    expect(checkSignature(request, keys, Date.now())).toBeUndefined();
  });

  test('leave out what proxies change', async () => {
    const { headers } = await capture({ credentials: keys });
    expect(headers).toMatchObject({ range: 'bytes=4-8', 'accept-encoding': 'identity' });
    const signed = /SignedHeaders=([^,]*)/.exec(headers['authorization'] ?? '')?.[1];
    expect(signed).toBe('host;x-amz-content-sha256;x-amz-date;x-amz-security-token');
  });

  test('are not made without credentials', async () => {
    const { headers } = await capture({});
    expect(Object.keys(headers)).not.toContain('authorization');
  });
});

describe('credentials', () => {
  test('are provided for each request', async () => {
    let count = 0;
    const credentials: S3CredentialsProvider = async () => {
      count++;
      return keys;
    };
    const source = open({ credentials });
    await source.stat();
    await source.read(range);
    await source.presign(range);
    expect(count).toBe(3);
  });

  test('that change are used at once', async () => {
    let credentials: SigningKeys = { ...keys, secretAccessKey: 'old' };
    const source = open({ credentials: () => credentials });
    await expect(source.stat()).rejects.toMatchObject({ code: 'ACCESS_DENIED', isTransient: false });
    credentials = keys;
    expect((await source.stat()).size).toBe(body.length);
  });

  test('that no header can hold are an error that does not show them', async () => {
    for (const wrong of [{ sessionToken: 'secret\ntoken' }, { accessKeyId: 'secret\n' }]) {
      const error: unknown = await open({ credentials: { ...keys, ...wrong } })
        .read(range)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
      expect(String(error) + String((error as Error).cause)).not.toContain('secret');
    }
  });

  test('that cannot be had are an error that does not show why', async () => {
    const cause = new Error('secret');
    const source = open({ credentials: () => Promise.reject(cause) });
    for (const failing of [source.read(range), source.presign(range)]) {
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'UNAVAILABLE', cause });
      expect(String(error)).not.toContain('secret');
    }
  });
});

describe('presigned URLs', () => {
  async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<[number, string]> {
    const answer = await fetch(url, { headers });
    return [answer.status, answer.ok ? await answer.text() : ''];
  }

  test('are split by Range, and need the header with the version', async () => {
    const source = open();
    const { version } = await source.stat();
    const { url, headers = {} } = await source.presign(range, { version });
    expect(headers).toEqual({ 'If-Match': version });
    expect(await get(url, { ...headers, range: 'bytes=4-8' })).toEqual([206, text.slice(4, 9)]);
    expect(await get(url, { ...headers, range: 'bytes=6-6' })).toEqual([206, text.slice(6, 7)]);
    expect(await get(url)).toEqual([403, '']);
    expect(await get(url, { 'If-Match': '"other"' })).toEqual([403, '']);
    await s3ObjectStore(options()).put('object', Uint8Array.of(1));
    expect(await get(url, headers)).toEqual([412, '']);
  });

  test('are what htsget asks for to locate an object', async () => {
    // Its types Locate and Location, which this package does not import.
    const locate: (
      bytes: ByteRange,
      context: { readonly signal: AbortSignal; readonly version: string | undefined },
    ) => Promise<{ readonly url: string; readonly headers?: Readonly<Record<string, string>> }> = (bytes, context) =>
      open().presign(bytes, context);
    const { url } = await locate(range, { signal: new AbortController().signal, version: undefined });
    expect(await get(url)).toEqual([200, text]);
  });

  test('need no header if no version is required', async () => {
    const { url, headers } = await open().presign(range);
    expect(headers).toBeUndefined();
    expect(await get(url)).toEqual([200, text]);
  });

  test('lead to the version where the bucket keeps them', async () => {
    await server.close();
    server = await S3Server.start({ keys, keepsVersions: true });
    const store = s3ObjectStore(options());
    await store.put('object', body);
    const source = open();
    const { version } = await source.stat();
    const { url, headers } = await source.presign(range, { version });
    expect(headers).toBeUndefined();
    await store.put('object', Uint8Array.of(1));
    expect(await get(url)).toEqual([200, text]);
    await expect(source.read(range, { version })).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('expire', async () => {
    const clock = new ManualClock();
    clock.now = () => Date.now() - 61_000;
    const presign = (presignSeconds: number): Promise<{ url: string }> =>
      open({ ...clock.options, presignSeconds }).presign(range);
    expect((await get((await presign(60)).url))[0]).toBe(403);
    expect((await get((await presign(90)).url))[0]).toBe(200);
  });

  test('are those of the API reference of S3', async () => {
    const clock = new ManualClock();
    clock.now = () => Date.parse('2013-05-24T00:00:00Z');
    const source = s3Source({
      bucket: 'examplebucket',
      key: 'test.txt',
      endpoint: 'https://s3.amazonaws.com',
      credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
      presignSeconds: 86_400,
      ...clock.options,
    });
    const { url } = await source.presign(range);
    const signature = new URL(url).searchParams.get('X-Amz-Signature');
    expect(signature).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404');
  });

  test('are plain without credentials', async () => {
    const source = s3Source({
      bucket: 'b',
      key: 'k',
      region: 'r',
      endpoint: 'https://example.org',
      forcePathStyle: true,
    });
    expect(await source.presign(range, { version: '"etag"' })).toEqual({
      url: 'https://example.org/b/k',
      headers: { 'If-Match': '"etag"' },
    });
  });

  test('are not made for what no store says of a version, nor for a signal that is aborted', async () => {
    await expect(open().presign(range, { version: 'v1' })).rejects.toMatchObject({ code: 'CHANGED' });
    const signal = AbortSignal.abort();
    await expect(open().presign(range, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    const controller = new AbortController();
    const presigned = open({ credentials: () => new Promise(() => undefined) }).presign(range, controller);
    controller.abort();
    await expect(presigned).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test.each([0, 604_801, 1.5, Number.NaN])('refuse to hold for %s seconds', (presignSeconds) => {
    expect(() => open({ presignSeconds })).toThrow(RangeError);
  });
});

test('an object from before the bucket kept versions, which is written over, has none', async () => {
  const headers = { etag: '"etag"', 'content-length': 3, 'x-amz-version-id': 'null' };
  server.interfere = () => ({ status: 200, headers, body: new Uint8Array(3) });
  expect((await open().stat()).version).toBe('"etag"');
});

test('a redirect, which the signature would not fit, is an error', async () => {
  server.interfere = () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: new Uint8Array() });
  await expect(open().read(range)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
});

test('a busy store gets another request with a new signature', async () => {
  const clock = new ManualClock();
  let time = Date.now();
  clock.now = () => (time += 2_000);
  const dates: unknown[] = [];
  server.interfere = ({ message }) => {
    dates.push(message.headers['x-amz-date']);
    return dates.length < 3 ? { status: 503, headers: {}, body: new Uint8Array() } : undefined;
  };
  expect(await open(clock.options).read(range)).toEqual(body.slice(4, 9));
  expect(new Set(dates).size).toBe(3);
});

test('two objects, two buckets and two endpoints have different keys', () => {
  const endpoint = 'https://example.org';
  const sources = [
    s3Source({ bucket: 'b', key: 'k' }),
    s3Source({ bucket: 'b', key: 'l' }),
    s3Source({ bucket: 'c', key: 'k' }),
    s3Source({ bucket: 'b', key: 'k', endpoint }),
    s3Source({ bucket: 'b', key: 'k', endpoint, forcePathStyle: true }),
  ];
  expect(new Set(sources.map(({ key }) => key)).size).toBe(5);
});

test('a refusal names the error code of the store', async () => {
  const source = open({ credentials: { ...keys, secretAccessKey: 'other' } });
  const message = 'the store refuses access to the object: SignatureDoesNotMatch';
  await expect(source.stat()).rejects.toMatchObject({ code: 'ACCESS_DENIED', message });
  await expect(source.read(range)).rejects.toMatchObject({ code: 'ACCESS_DENIED', message });
});

describe('expired credentials', () => {
  const stale = { ...keys, sessionToken: 'stale' };

  /** Options of a store that refuses the stale token. Delays are over at once. */
  function refusing(credentials: S3SourceOptions['credentials']): Omit<S3SourceOptions, 'key'> {
    const { sleep, timeoutMilliseconds } = new ManualClock().options;
    const send: S3SourceOptions['fetch'] = async (url, init) => {
      const isStale = new Headers(init.headers).get('x-amz-security-token') === 'stale';
      if (!isStale) return fetch(url, init);
      requestCount++;
      return new Response(init.method === 'HEAD' ? null : '<Error><Code>ExpiredToken</Code></Error>', { status: 400 });
    };
    return { ...options(), credentials, sleep, timeoutMilliseconds, fetch: send };
  }

  /** Requests with the stale token. */
  let requestCount = 0;

  /** A provider whose first credentials, and those that are not forced, are stale. */
  function provider(fresh: S3Credentials = keys): { readonly forced: boolean[]; readonly get: S3CredentialsProvider } {
    const forced: boolean[] = [];
    let current: S3Credentials = stale;
    const get: S3CredentialsProvider = ({ forceRefresh = false } = {}) => {
      forced.push(forceRefresh);
      if (forceRefresh) current = fresh;
      return { ...current, expiration: new Date('2099-01-01') };
    };
    return { forced, get };
  }

  beforeEach(() => {
    requestCount = 0;
  });

  test.each<[string, (source: S3Source) => Promise<unknown>]>([
    ['stat', (source) => source.stat()],
    ['read', (source) => source.read(range)],
  ])('%s is repeated once with fresh credentials', async (_, run) => {
    const { forced, get } = provider();
    await expect(run(s3Source({ ...refusing(get), key: 'object' }))).resolves.toBeDefined();
    expect(forced).toEqual([false, true]);
  });

  test('a request to a bucket is repeated once with fresh credentials', async () => {
    const { forced, get } = provider();
    const store = s3ObjectStore(refusing(get));
    for await (const key of store.list('')) expect(key).toBe('object');
    expect(forced).toEqual([false, true]);
  });

  test('concurrent operations share the fresh credentials', async () => {
    const { forced, get } = provider();
    await Promise.all(Array.from({ length: 5 }, async () => s3Source({ ...refusing(get), key: 'object' }).read(range)));
    expect(forced).toEqual([false, true]);
  });

  test('the operation fails if the fresh credentials have expired as well', async () => {
    const { forced, get } = provider(stale);
    await expect(s3Source({ ...refusing(get), key: 'object' }).read(range)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      isTransient: false,
      message: expect.stringContaining('ExpiredToken') as string,
    });
    expect(forced).toEqual([false, true]);
  });

  test('credentials that cannot change are not retried', async () => {
    await expect(s3Source({ ...refusing(stale), key: 'object' }).read(range)).rejects.toMatchObject({
      isTransient: false,
    });
    expect(requestCount).toBe(1);
  });
});
