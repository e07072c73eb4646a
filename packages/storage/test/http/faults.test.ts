import type { ByteSource } from '@htskit/io';
import { createRandom, type Fault, FaultyServer } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpSourceOptions, httpSource } from '../../src/http/http-source.js';
import { ManualClock } from '../manual-clock.js';

const random = createRandom(1);
const bytes = Uint8Array.from({ length: 400_001 }, () => Math.floor(random() * 256));
const headers = { etag: '"one"' };
const range = { start: 1_000, end: 300_001 };
const expected = Buffer.from(bytes.subarray(range.start, range.end));

let server: FaultyServer;
let clock: ManualClock;

beforeEach(async () => {
  server = await FaultyServer.start({ bytes, headers });
  clock = new ManualClock();
});
afterEach(() => server.close());

function open(path = '/object', options: HttpSourceOptions = {}): ByteSource {
  return httpSource(server.origin + path, { ...clock.options, ...options });
}

/** Returns the bytes of a stream, and the error that ended it, if any. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    return { bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

const TRANSIENT: readonly (readonly [string, Fault])[] = [
  ['a connection that breaks before the answer', { kind: 'reset' }],
  ['a connection that breaks after the headers', { kind: 'reset', after: 0 }],
  ['a connection that breaks in the middle', { kind: 'reset', after: 7_000 }],
  ['a body that ends too soon', { kind: 'short', bytes: 100_000 }],
  ['a body without its last byte', { kind: 'short', bytes: 1 }],
  ...[408, 425, 429, 500, 502, 503, 504].map((status) => [`HTTP ${status}`, { kind: 'status', status }] as const),
];

/** Nothing is read of them: neither again nor in part. */
const LASTING: readonly (readonly [string, Fault, string])[] = [
  ['a whole object in answer to a range', { kind: 'whole' }, 'UNAVAILABLE'],
  ['a range that begins elsewhere', contentRange('bytes 999-299999/400001'), 'UNAVAILABLE'],
  ['a range that ends elsewhere', contentRange('bytes 1000-300001/400001'), 'UNAVAILABLE'],
  ['a range that ends sooner', contentRange('bytes 1000-299999/400001'), 'UNAVAILABLE'],
  ['a range in another unit', contentRange('lines 1000-300000/400001'), 'UNAVAILABLE'],
  ['no Content-Range', contentRange(undefined), 'UNAVAILABLE'],
  ['a range with another length', { kind: 'headers', headers: { 'content-length': '300000' } }, 'UNAVAILABLE'],
  [
    'several parts',
    { kind: 'headers', headers: { 'content-range': undefined, 'content-type': 'multipart/byteranges; boundary=a' } },
    'UNAVAILABLE',
  ],
  ['an encoded body', { kind: 'headers', headers: { 'content-encoding': 'x-unknown' } }, 'UNAVAILABLE'],
  ['another entity-tag', { kind: 'headers', headers: { etag: '"two"' } }, 'CHANGED'],
  ['no entity-tag', { kind: 'headers', headers: { etag: undefined } }, 'CHANGED'],
  ...(
    [
      [400, 'UNAVAILABLE'],
      [401, 'ACCESS_DENIED'],
      [403, 'ACCESS_DENIED'],
      [404, 'NOT_FOUND'],
      [410, 'NOT_FOUND'],
      [412, 'CHANGED'],
      [204, 'UNAVAILABLE'],
      [304, 'UNAVAILABLE'],
      [416, 'UNAVAILABLE'],
      [501, 'UNAVAILABLE'],
      [505, 'UNAVAILABLE'],
      [520, 'UNAVAILABLE'],
    ] as const
  ).map(([status, code]) => [`HTTP ${status}`, { kind: 'status', status }, code] as const),
];

function contentRange(value: string | undefined): Fault {
  return { kind: 'headers', headers: { 'content-range': value } };
}

describe('transient failures', () => {
  test.each(TRANSIENT)('%s is retried, and the right bytes are read', async (_, fault) => {
    server.fail(fault);
    expect(expected.equals(await open().read(range, { version: '"one"' }))).toBe(true);
    expect(clock.waits).toEqual([125]);
    server.fail(fault, fault);
    const streamed = await readAll(open().stream(range, { version: '"one"' }));
    expect(streamed.error).toBeUndefined();
    expect(expected.equals(streamed.bytes)).toBe(true);
  });

  test.each(TRANSIENT)('%s that persists is a transient error after five retries', async (_, fault) => {
    server.fail(...Array.from({ length: 6 }, () => fault));
    const { error, bytes: received } = await readAll(open().stream(range));
    expect(error).toMatchObject({ name: 'StorageError', isTransient: true });
    expect(server.requests).toHaveLength(6);
    expect(expected.subarray(0, received.length).equals(received)).toBe(true);
    expect(clock.waits).toEqual([125, 250, 500, 1_000, 2_000]);
  });

  test('a stream continues at the byte where it broke, and requires the version that it began with', async () => {
    server.fail({ kind: 'reset', after: 50_000 });
    const { bytes: received } = await readAll(open().stream(range));
    expect(expected.equals(received)).toBe(true);
    const [first, second] = server.requests.map((request) => request.headers);
    expect(first).toMatchObject({ range: 'bytes=1000-300000' });
    expect(first?.['if-match']).toBeUndefined();
    expect(second?.['if-match']).toBe('"one"');
    expect(second?.range).toMatch(/^bytes=\d+-300000$/);
    expect(Number(/\d+/.exec(second?.range ?? ''))).toBeGreaterThan(1_000);
  });

  test('a transfer with progress may break more often than one without', async () => {
    const large = Uint8Array.from({ length: 8_000_000 }, (_, index) => (index * 31) >> 6);
    server.object = { bytes: large, headers };
    const breaks = [6_000_000, 4_000_000, 2_000_000].map((missing) => ({ kind: 'short', bytes: missing }) as const);
    server.fail(...breaks);
    const source = open('/object', { retries: 1 });
    const { bytes: received, error } = await readAll(source.stream({ start: 0, end: 8_000_000 }));
    expect(error).toBeUndefined();
    expect(Buffer.from(large).equals(received)).toBe(true);
    server.fail({ kind: 'short', bytes: 100 }, { kind: 'short', bytes: 50 });
    await expect(source.read({ start: 0, end: 1_000 })).rejects.toMatchObject({
      code: 'SHORT_READ',
      isTransient: true,
    });
  });
});

describe('lasting failures', () => {
  test.each(LASTING)('%s is an error at once, without a byte', async (_, fault, code) => {
    server.fail(fault);
    const { bytes: received, error } = await readAll(open().stream(range, { version: '"one"' }));
    expect(error).toMatchObject({ name: 'StorageError', code, isTransient: false });
    expect(received).toHaveLength(0);
    expect(clock.waits).toEqual([]);
  });

  test('a body that is too long is an error', async () => {
    server.fail({ kind: 'long', bytes: 1 });
    const { bytes: received, error } = await readAll(open().stream(range));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: 'expected 299001 bytes, found more' });
    expect(expected.subarray(0, received.length).equals(received)).toBe(true);
  });

  test('an object that changes in the middle of a stream is CHANGED where the stream breaks', async () => {
    server.fail({ kind: 'reset', after: 50_000 });
    const stream = open().stream(range).getReader();
    const first = await stream.read();
    server.object = { bytes: bytes.map((byte) => byte ^ 0xff), headers: { etag: '"two"' } };
    const chunks = [first.value ?? new Uint8Array()];
    const error = await (async () => {
      for (let next = await stream.read(); !next.done; next = await stream.read()) chunks.push(next.value);
    })().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'CHANGED' });
    const received = Buffer.concat(chunks);
    expect(expected.subarray(0, received.length).equals(received)).toBe(true);
  });

  test('a broken stream of an object without a version fails', async () => {
    server.object = { bytes, headers: {} };
    server.fail({ kind: 'reset', after: 50_000 });
    const { bytes: received, error } = await readAll(open().stream(range));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
    expect(received.length).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(1);
  });

  test('an object of the same entity-tag and another size is CHANGED', async () => {
    server.fail({ kind: 'short', bytes: 100 }, contentRange('bytes 299901-300000/400002'));
    const { bytes: received, error } = await readAll(open().stream({ start: 299_900, end: 300_001 }));
    expect(error).toMatchObject({ code: 'CHANGED' });
    expect(received).toEqual(expected.subarray(-101, -100));
  });
});

describe('time', () => {
  test('a server that does not respond gets another request', async () => {
    server.fail({ kind: 'stall' });
    const read = open().read(range);
    await server.stalled;
    await clock.expire();
    expect(expected.equals(await read)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test('a stalled stream continues where it stalled', async () => {
    server.fail({ kind: 'stall', after: 10 });
    const reader = open().stream(range).getReader();
    const chunks = [(await reader.read()).value ?? new Uint8Array()];
    const next = reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    await clock.expire();
    for (let chunk = await next; !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
    expect(expected.equals(Buffer.concat(chunks))).toBe(true);
    expect(server.requests.at(1)?.headers.range).toBe('bytes=1010-300000');
  });

  test('the back-off grows, is limited, and is half random', async () => {
    server.fail(...Array.from({ length: 6 }, () => ({ kind: 'status', status: 500 }) as const));
    clock.random = () => 0.5;
    await open('/object', { retries: 6, retryDelayMilliseconds: 1_000, maxRetryDelayMilliseconds: 5_000 }).read(range);
    expect(clock.waits).toEqual([750, 1_500, 3_000, 3_750, 3_750, 3_750]);
  });

  test.each([
    ['seconds', '3', 3_000],
    ['a date', 'Fri, 02 Jan 2026 03:04:12 GMT', 7_000],
    ['a date in the past', 'Fri, 02 Jan 2026 03:04:00 GMT', 125],
    ['nothing that can be read', 'soon', 125],
  ])('Retry-After with %s is honoured', async (_, value, wait) => {
    server.fail({ kind: 'status', status: 503, headers: { 'retry-after': value } });
    await open().read(range);
    expect(clock.waits).toEqual([wait]);
  });

  test('a Retry-After over the limit is not waited for', async () => {
    server.fail({ kind: 'status', status: 429, headers: { 'retry-after': '121' } });
    const error: unknown = await open()
      .read(range)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isTransient: true, retryAfterMilliseconds: 121_000 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('signals', () => {
  test('end a wait between attempts at once', async () => {
    const controller = new AbortController();
    server.fail({ kind: 'status', status: 500 });
    clock.onWait = () => queueMicrotask(() => controller.abort('enough'));
    await expect(open().read(range, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'enough',
    });
  });

  test.each([undefined, 0, 10])('end a request that stalls after %s bytes at once', async (after) => {
    const controller = new AbortController();
    server.fail({ kind: 'stall', ...(after !== undefined && { after }) });
    const read = open().read(range, { signal: controller.signal });
    await server.stalled;
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
    expect(server.requests).toHaveLength(1);
  });

  test('a stream that stalls can be cancelled', async () => {
    server.fail({ kind: 'stall', after: 10 });
    const reader = open().stream(range).getReader();
    await reader.read();
    const pending = reader.read();
    // Until it is being read.
    await new Promise((resolve) => setImmediate(resolve));
    await reader.cancel();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});

test('connections are reused, also after failures', async () => {
  const source = open();
  const failure = { kind: 'status', status: 503 } as const;
  const redirect = { kind: 'status', status: 302, headers: { location: '/elsewhere' } } as const;
  server.fail({ kind: 'none' }, failure, failure, redirect, redirect, failure, redirect);
  for (let index = 0; index < 20; index++) await source.read({ start: index, end: index + 1_000 });
  await source.stat();
  expect(server.requests).toHaveLength(27);
  // An answer that has just been read may still hold its connection when the next request is sent.
  expect(new Set(server.requests.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
});
