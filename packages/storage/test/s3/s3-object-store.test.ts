import { type RangeAnswer, type S3Request, S3Server } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type S3ObjectStore, s3ObjectStore } from '../../src/s3/s3-object-store.js';
import { ManualClock, TIMEOUT } from '../manual-clock.js';

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
const PART_BYTES = 1_000;
const bytes = Uint8Array.from({ length: 3_500 }, (_, index) => (index * 31) >> 3);
const requests: string[] = [];

let server: S3Server;
let clock: ManualClock;
let store: S3ObjectStore;

beforeEach(async () => {
  server = await S3Server.start({ keys: credentials });
  clock = new ManualClock();
  clock.now = () => Date.now();
  const { bucket, endpoint } = server;
  store = s3ObjectStore({
    ...{ bucket, endpoint, credentials, ...clock.options, forcePathStyle: true },
    partBytes: PART_BYTES,
  });
  requests.length = 0;
  server.interfere = (request) => void requests.push(operationOf(request));
});
afterEach(() => server.close());

function operationOf({ method, query }: S3Request): string {
  return [method, ...Array.from(query.keys()).sort()].join(' ');
}

async function* chunksOf(length: number, content: Uint8Array = bytes): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
}

async function keysOf(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  return keys;
}

function answerXml(status: number, xml = ''): RangeAnswer {
  return { status, headers: {}, body: new TextEncoder().encode(xml) };
}

describe('parts', () => {
  const PUT_PART = 'PUT partNumber uploadId';

  test.each([1, 7, 999, 1_000, 1_001, 5_000])('hold a stream of unknown size in chunks of %i bytes', async (length) => {
    await store.put('a', chunksOf(length));
    expect(requests).toEqual(['POST uploads', PUT_PART, PUT_PART, PUT_PART, PUT_PART, 'POST uploadId']);
    expect(await store.source('a').read({ start: 0, end: 9_999 })).toEqual(bytes);
  });

  test.each([0, 1, 999, 1_000])('are not needed for %i bytes, known or not', async (length) => {
    const content = bytes.slice(0, length);
    for (const each of [content, chunksOf(400, content), { size: length, chunks: chunksOf(400, content) }]) {
      await store.put('a', each);
      expect(await store.source('a').read({ start: 0, end: 9_999 })).toEqual(content);
    }
    expect(requests.filter((request) => request === 'PUT')).toHaveLength(3);
  });
});

describe('failures', () => {
  test.each([
    ['the start', 'POST uploads'],
    ['a part', 'PUT partNumber uploadId'],
    ['the end', 'POST uploadId'],
  ])('of %s that are transient are retried', async (_, operation) => {
    let failureCount = 0;
    server.interfere = (request) => {
      if (operationOf(request) !== operation || failureCount === 2) return undefined;
      failureCount++;
      return failureCount === 1 ? answerXml(503) : answerXml(400, '<Error><Code>RequestTimeout</Code></Error>');
    };
    await store.put('a', bytes);
    expect(await store.source('a').read({ start: 0, end: 9_999 })).toEqual(bytes);
    expect(clock.waits).toEqual([125, 250]);
  });

  test.each([
    ['the start', 'POST uploads'],
    ['a part', 'PUT partNumber uploadId'],
    ['the end', 'POST uploadId'],
  ])('of %s that last leave neither an object nor parts', async (_, operation) => {
    server.interfere = (request) => (operationOf(request) === operation ? answerXml(500) : undefined);
    await expect(store.put('a', bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
    expect(server.uploads.size).toBe(0);
    await expect(store.source('a').stat()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are retried after the delay that the store requests', async () => {
    let count = 0;
    server.interfere = () => {
      if (count++ > 0) return undefined;
      return { ...answerXml(503, '<Error><Code>SlowDown</Code></Error>'), headers: { 'retry-after': '7' } };
    };
    await store.put('a', bytes.slice(0, 9));
    expect(clock.waits).toEqual([7_000]);
  });

  test('that are answered with 200 are failures', async () => {
    let count = 0;
    server.interfere = (request) => {
      if (operationOf(request) !== 'POST uploadId' || count++ > 0) return undefined;
      return answerXml(200, '<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>');
    };
    await store.put('a', bytes);
    expect(clock.waits).toEqual([125]);
    expect(await store.source('a').read({ start: 0, end: 9_999 })).toEqual(bytes);
  });

  test('of an upload whose end was answered, but not received, say that it may be stored', async () => {
    server.interfere = (request) => (operationOf(request) === 'POST uploadId' ? answerXml(404) : undefined);
    await expect(store.put('a', bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  });

  test('of the store to answer as S3 does are errors', async () => {
    server.interfere = (request) => (operationOf(request) === 'POST uploads' ? answerXml(200, '<Other/>') : undefined);
    await expect(store.put('a', bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
    server.interfere = (request) => (request.query.has('partNumber') ? answerXml(200) : undefined);
    await expect(store.put('a', bytes)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
    expect(server.uploads.size).toBe(0);
  });

  test('of writers without permission are ACCESS_DENIED', async () => {
    server.interfere = () => answerXml(403, '<Error><Code>AccessDenied</Code></Error>');
    await expect(store.put('a', bytes.slice(0, 9))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(store.delete('a')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(keysOf()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(clock.waits).toEqual([]);
  });

  test('of streams that have more than they say end the reading at once', async () => {
    let readCount = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      for (;;) {
        readCount++;
        yield new Uint8Array(100);
      }
    }
    await expect(store.put('a', { size: 250, chunks: endless() })).rejects.toMatchObject({ code: 'INVALID_CONTENT' });
    expect(readCount).toBe(3);
  });

  test('to delete a missing object are ignored', async () => {
    server.interfere = () => answerXml(404);
    await expect(store.delete('a')).resolves.toBeUndefined();
  });
});

test('aborting while a part is sent fails at once, and removes the parts', async () => {
  const controller = new AbortController();
  server.interfere = (request) => {
    if (request.query.has('partNumber')) controller.abort();
    return undefined;
  };
  await expect(store.put('a', bytes, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(server.uploads.size).toBe(0);
});

test('an aborted upload makes one attempt to remove its parts', async () => {
  const controller = new AbortController();
  server.interfere = (request) => {
    requests.push(operationOf(request));
    if (request.query.has('partNumber')) controller.abort();
    return request.method === 'DELETE' ? answerXml(503) : undefined;
  };
  await expect(store.put('a', bytes, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(requests.filter((request) => request === 'DELETE uploadId')).toHaveLength(1);
  expect(clock.waits).toEqual([]);
});

test('a long body has the time limit once per MiB', async () => {
  const { bucket, endpoint } = server;
  const options = { bucket, endpoint, credentials, ...clock.options, forcePathStyle: true };
  await s3ObjectStore(options).put('a', new Uint8Array(2.5 * 1024 * 1024));
  expect(Math.max(...clock.limits)).toBe(3 * TIMEOUT);
});

test('twelve concurrent writes with one signal never have more than one listener on it', async () => {
  const { signal } = new AbortController();
  const counts = [0];
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  vi.spyOn(signal, 'addEventListener').mockImplementation((...args: Parameters<typeof add>) => {
    counts.push((counts.at(-1) ?? 0) + 1);
    add(...args);
  });
  vi.spyOn(signal, 'removeEventListener').mockImplementation((...args: Parameters<typeof remove>) => {
    counts.push((counts.at(-1) ?? 0) - 1);
    remove(...args);
  });
  await Promise.all(Array.from({ length: 12 }, (_, index) => store.put(`a${index}`, bytes.slice(0, 9), { signal })));
  expect([Math.max(...counts), counts.at(-1)]).toEqual([1, 0]);
});

describe('a list', () => {
  const page = (xml: string): RangeAnswer => answerXml(200, `<ListBucketResult>${xml}</ListBucketResult>`);

  test('has no keys that no object of the store can have', async () => {
    server.interfere = () => page('<Key>folder/</Key><Key>a//b</Key><Key>a/../b</Key><Key>&#xd800;</Key><Key>c</Key>');
    expect(await keysOf()).toEqual(['c']);
  });

  test.each([
    ['does not encode keys', '<Key>a b&amp;&#10;&#x1;%41+</Key>'],
    ['encodes keys as form data', '<EncodingType>url</EncodingType><Key>a+b%26%0A%01%2541%2B</Key>'],
    ['encodes keys as RFC 3986 has it', '<EncodingType>url</EncodingType><Key>a%20b%26%0a%01%2541%2b</Key>'],
  ])('of a store that %s has the keys as they are', async (_, xml) => {
    server.interfere = () => page(xml);
    expect(await keysOf()).toEqual(['a b&\n\u0001%41+']);
  });

  test('has no key that is not UTF-8', async () => {
    server.interfere = () => page('<EncodingType>url</EncodingType><Key>%FF.bam</Key><Key>c%</Key><Key>c</Key>');
    expect(await keysOf()).toEqual(['c']);
  });

  test('has only keys below the prefix', async () => {
    const { bucket, endpoint } = server;
    const inFolder = s3ObjectStore({ bucket, endpoint, credentials, forcePathStyle: true, prefix: 'folder/' });
    server.interfere = () => page('<Key>another/one</Key><Key>folder/ab</Key><Key>folder/b</Key>');
    const found: string[] = [];
    for await (const key of inFolder.list('a')) found.push(key);
    expect(found).toEqual(['ab']);
  });

  test.each([
    ['goes on, but does not say where', page('<IsTruncated>true</IsTruncated><Key>a</Key>')],
    [
      'goes on where it began',
      page('<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Key>a</Key>'),
    ],
    ['is none', answerXml(200, '<html>no</html>')],
    ['is empty', answerXml(200)],
  ])('that %s is an error, rather than one that ends too soon or never', async (_, answer) => {
    server.interfere = () => answer;
    await expect(keysOf()).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
  });
});

test('an endless response fails', async () => {
  server.interfere = () => answerXml(200, 'x'.repeat(9 * 1024 * 1024));
  await expect(keysOf()).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
});

test('refuses empty parts', () => {
  expect(() => s3ObjectStore({ bucket: 'b', partBytes: 0 })).toThrow(RangeError);
});
