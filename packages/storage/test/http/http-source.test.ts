import { type Fault, FaultyServer } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpSourceOptions, httpSource } from '../../src/http/http-source.js';
import { ManualClock } from '../manual-clock.js';

const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 31) >> 2);
const range = { start: 10, end: 20 };
const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';

let server: FaultyServer;
let other: FaultyServer;

beforeEach(async () => {
  server = await FaultyServer.start({ bytes, headers: { etag: '"one"', 'last-modified': lastModified } });
  other = await FaultyServer.start({ bytes, headers: { etag: '"one"' } });
});
afterEach(async () => {
  await server.close();
  await other.close();
});

function open(options: HttpSourceOptions = {}): ReturnType<typeof httpSource> {
  const clock = new ManualClock();
  return httpSource(`${server.origin}/object`, { ...clock.options, ...options });
}

function redirect(location: string, status = 302): Fault {
  return { kind: 'status', status, headers: { location } };
}

describe('stat', () => {
  test.each([400, 403, 405, 501])('requests the first byte from servers that answer HEAD with %i', async (status) => {
    server.fail({ kind: 'status', status });
    expect(await open().stat()).toMatchObject({ size: 1_000, version: '"one"' });
    expect(server.requests.map(({ method, headers }) => [method, headers.range])).toEqual([
      ['HEAD', undefined],
      ['GET', 'bytes=0-0'],
    ]);
  });

  test('reports when the object changed last, if the server says so', async () => {
    server.object = { bytes, headers: { etag: '"one"', 'last-modified': 'Thu, 01 Jan 1970 00:00:07 GMT' } };
    expect(await open().stat()).toEqual({ size: 1_000, version: '"one"', modifiedAt: 7000 });
    server.object = { bytes, headers: { etag: '"one"', 'last-modified': 'yesterday' } };
    expect(await open().stat()).toEqual({ size: 1_000, version: '"one"' });
  });

  test('requests the first byte from servers that hide the length', async () => {
    server.fail({ kind: 'headers', headers: { 'content-length': undefined } });
    expect((await open().stat()).size).toBe(1_000);
  });

  test.each<[string, Fault]>([
    ['is empty', { kind: 'none' }],
    ['is empty and sent whole', { kind: 'whole' }],
  ])('finds that an object %s if HEAD is refused', async (_, fault) => {
    server.object = { bytes: new Uint8Array(), headers: { 'content-length': '0' } };
    server.fail({ kind: 'status', status: 405 }, fault);
    expect(await open().stat()).toEqual({ size: 0 });
  });

  test('refuses a server that ignores ranges', async () => {
    server.fail({ kind: 'status', status: 405 }, { kind: 'whole' });
    await expect(open().stat()).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
  });

  test('is retried', async () => {
    server.fail({ kind: 'status', status: 500 }, { kind: 'status', status: 403 }, { kind: 'reset' });
    expect((await open().stat()).size).toBe(1_000);
  });

  test('refuses an object that is sent with a Content-Encoding', async () => {
    server.object = { bytes, headers: { 'content-encoding': 'gzip' } };
    await expect(open().stat()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(open().read(range)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('version', () => {
  test('is the entity tag, which If-Match requires', async () => {
    await open().read(range, { version: '"one"' });
    expect(server.requests[0]?.headers['if-match']).toBe('"one"');
  });

  test('is a weak entity tag, which is compared', async () => {
    server.object = { bytes, headers: { etag: 'W/"weak"' } };
    expect((await open().stat()).version).toBe('W/"weak"');
    expect(await open().read(range, { version: 'W/"weak"' })).toEqual(bytes.slice(10, 20));
    await expect(open().read(range, { version: 'W/"other"' })).rejects.toMatchObject({ code: 'CHANGED' });
    expect(server.requests.every(({ headers }) => headers['if-match'] === undefined)).toBe(true);
  });

  test('is the modification time and size without an entity tag', async () => {
    server.object = { bytes, headers: { 'last-modified': lastModified } };
    const { version } = await open().stat();
    expect(version).toBe(`${lastModified} 1000`);
    expect(await open().read(range, { version })).toEqual(bytes.slice(10, 20));
    server.object = { bytes: bytes.subarray(1), headers: { 'last-modified': lastModified } };
    await expect(open().read(range, { version })).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('is undefined if the server sends neither, so that requiring one fails', async () => {
    server.object = { bytes, headers: {} };
    expect(await open().stat()).toEqual({ size: 1_000 });
    expect(await open().read(range)).toEqual(bytes.slice(10, 20));
    await expect(open().read(range, { version: 'any' })).rejects.toMatchObject({ code: 'CHANGED' });
  });

  test('is checked for ranges without bytes, too', async () => {
    for (const start of [5, 2_000]) {
      const empty = { start, end: start === 5 ? 5 : 3_000 };
      expect(await open().read(empty, { version: '"one"' })).toHaveLength(0);
      await expect(open().read(empty, { version: '"two"' })).rejects.toMatchObject({ code: 'CHANGED' });
    }
  });
});

describe('headers', () => {
  test('are created for each attempt', async () => {
    let count = 0;
    server.fail({ kind: 'status', status: 500 });
    await open({ headers: async () => ({ authorization: `Bearer ${++count}` }) }).read(range);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
  });

  test('that cannot be created are an error that does not quote them', async () => {
    const cause = new Error('secret');
    const headers = (): never => {
      throw cause;
    };
    await expect(open({ headers }).read(range)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the request cannot be created',
      cause,
    });
  });

  test.each(['Bearer secret\ntoken', 'Bearer secret \u2603'])(
    'that are invalid, such as %j, are not quoted',
    async (authorization) => {
      const error: unknown = await open({ headers: { authorization } })
        .read(range)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
      expect((error as Error).cause).toBeUndefined();
      expect(String(error)).not.toContain('secret');
      expect(server.requests).toHaveLength(0);
    },
  );

  test('that never arrive end with the signal, even if their provider aborts it', async () => {
    const controller = new AbortController();
    const headers = (): Promise<never> => {
      controller.abort();
      return new Promise(() => undefined);
    };
    await expect(open({ headers }).read(range, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  test('request the bytes without an encoding', async () => {
    await open().read(range);
    // Node says it once more.
    expect(server.requests[0]?.headers['accept-encoding']).toMatch(/^identity(, identity)*$/);
  });
});

describe('redirects', () => {
  const headers = { authorization: 'Bearer secret', 'x-api-key': 'secret' };

  test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    server.fail(redirect('/elsewhere', status));
    expect(await open({ headers }).read(range)).toEqual(bytes.slice(10, 20));
    expect(server.requests[1]).toMatchObject({ path: '/elsewhere', headers });
  });

  test('to another origin are followed without the origin headers, also on the way back', async () => {
    server.fail(redirect(`${other.origin}/away`));
    other.fail(redirect(`${server.origin}/back`));
    expect(await open({ headers }).read(range, { version: '"one"' })).toEqual(bytes.slice(10, 20));
    for (const request of [other.requests[0], server.requests[1]]) {
      expect(request?.headers).toMatchObject({ range: 'bytes=10-19', 'if-match': '"one"' });
      expect(Object.keys(request?.headers ?? {})).not.toContain('authorization');
      expect(Object.keys(request?.headers ?? {})).not.toContain('x-api-key');
    }
  });

  test.each(['ftp://127.0.0.1/x', 'http://user:secret@127.0.0.1/x', 'http://', 'file:///etc/passwd'])(
    'to %s are an error',
    async (location) => {
      server.fail(redirect(location));
      const error: unknown = await open()
        .read(range)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/^the server redirects to/) as string,
      });
    },
  );

  test('in a loop are an error', async () => {
    server.fail(...Array.from({ length: 30 }, () => redirect('/object')));
    await expect(open().read(range)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
    expect(server.requests).toHaveLength(21);
  });

  test('that a browser hides are left to it, with no header for one origin that it would not drop', async () => {
    const seen: (string | undefined)[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push(init?.redirect);
      if (init?.redirect !== 'manual') return globalThis.fetch(input, init);
      return Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    };
    expect(await open({ fetch, headers }).read(range)).toEqual(bytes.slice(10, 20));
    expect(seen).toEqual(['manual', 'follow']);
    expect(server.requests[0]?.headers).toMatchObject({ range: 'bytes=10-19', authorization: 'Bearer secret' });
    expect(Object.keys(server.requests[0]?.headers ?? {})).not.toContain('x-api-key');
  });
});

test('the key is the URL, or the option', () => {
  expect(httpSource('https://example.org/a?b#c').key).toBe('https://example.org/a?b');
  expect(httpSource('https://example.org/a', { key: 'k' }).key).toBe('k');
});

test.each(['', 'a', '/a', 'ftp://example.org/', 'file:///a', 'https://user@example.org/', 'https://:p@example.org/'])(
  'refuses the URL "%s"',
  (url) => {
    expect(() => httpSource(url)).toThrow(TypeError);
  },
);

test.each([
  { retries: -1 },
  { retries: 1.5 },
  { retryDelayMilliseconds: -1 },
  { maxRetryDelayMilliseconds: Number.NaN },
  { timeoutMilliseconds: 0 },
  { timeoutMilliseconds: 2 ** 31 },
])('refuses the options %o', (options) => {
  expect(() => httpSource('https://example.org/', options)).toThrow(RangeError);
});
