import { isObjectKey, toByteStream } from '@htskit/io';
import { cachedSource } from '@htskit/storage/cache';
import { fromBufferFilehandle, fromFilehandle, toFilehandle } from '@htskit/storage/filehandle';
import { httpSource } from '@htskit/storage/http';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import { s3ObjectStore, s3Source } from '@htskit/storage/s3';
import { equal, equalBytes, failsWith } from '../check.mjs';

const bytes = Uint8Array.from({ length: 600_001 }, (_, index) => (index * 31) >> 5);
const source = memorySource(bytes, { version: 'v1' });

/** A filehandle that fills a buffer a few bytes at a time. */
const bufferFilehandle = {
  read: async (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + Math.min(length, 100_000));
    buffer.set(part, offset);
    return { bytesRead: part.length, buffer };
  },
  stat: async () => ({ size: bytes.length }),
};

async function* toChunks(chunks) {
  yield* chunks;
}

const requests = [];

/** A fetch function that serves the bytes. Its first response is a failure. */
async function answer(url, { method, headers }) {
  requests.push({ url, method, headers });
  if (requests.length === 1) return new Response('busy', { status: 503 });
  if (method !== 'GET') {
    const length = method === 'HEAD' ? bytes.length : 0;
    return new Response(null, { headers: { 'content-length': String(length), etag: '"v1"' } });
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range);
  const end = Math.min(Number(last) + 1, bytes.length);
  const contentRange = `bytes ${first}-${end - 1}/${bytes.length}`;
  return new Response(bytes.slice(Number(first), end), {
    status: 206,
    headers: { 'content-range': contentRange, etag: '"v1"' },
  });
}

/** The credentials of the S3 API reference. */
const S3 = {
  bucket: 'examplebucket',
  endpoint: 'https://s3.amazonaws.com',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  now: () => Date.parse('2013-05-24T00:00:00Z'),
  presignSeconds: 86_400,
  fetch: answer,
};

export const checks = {
  'reads over HTTP, after a failure, by way of a cache': async () => {
    const remote = cachedSource(httpSource('https://example.org/object', { fetch: answer, retryDelayMilliseconds: 0 }));
    equal((await remote.stat()).version, '"v1"');
    equalBytes(await remote.read({ start: 5, end: 100_000 }, { version: '"v1"' }), bytes.subarray(5, 100_000));
    const stream = remote.stream({ start: 5, end: 1e9 }, { version: '"v1"' });
    equalBytes(new Uint8Array(await new Response(stream).arrayBuffer()), bytes.subarray(5));
    await failsWith('CHANGED', () => remote.read({ start: 0, end: 1 }, { version: '"v2"' }));
  },
  'signs requests to S3': async () => {
    const object = s3Source({ ...S3, key: 'test.txt' });
    const { url } = await object.presign({ start: 0, end: 1 });
    const signature = 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
    equal(new URL(url).searchParams.get('X-Amz-Signature'), signature);
    equalBytes(await object.read({ start: 5, end: 500 }), bytes.subarray(5, 500));
    await s3ObjectStore(S3).put('object', bytes);
    equal(requests.at(-1).method, 'PUT');
    equal(requests.at(-1).headers.authorization.startsWith('AWS4-HMAC-SHA256 '), true);
  },
  'reads and streams ranges': async () => {
    equalBytes(await source.read({ start: 5, end: 500_000 }), bytes.subarray(5, 500_000));
    const stream = source.stream({ start: 5, end: 1e9 }, { version: 'v1' });
    equalBytes(new Uint8Array(await new Response(stream).arrayBuffer()), bytes.subarray(5));
  },
  'notices another version and an aborted signal': async () => {
    await failsWith('CHANGED', () => source.read({ start: 0, end: 1 }, { version: 'v2' }));
    const controller = new AbortController();
    const reader = source.stream({ start: 0, end: 1e9 }, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await failsWith('ABORTED', () => reader.read());
  },
  'stores objects, lists and deletes them': async () => {
    const store = memoryStore();
    await store.put('a/one', bytes.subarray(0, 10));
    const chunks = [bytes.subarray(0, 5), bytes.subarray(5, 10)];
    await store.put('a/two', { size: 10, chunks: toChunks(chunks) });
    await failsWith('INVALID_CONTENT', () => store.put('b', { size: 11, chunks: toChunks(chunks) }));
    await store.delete('a/one');
    const keys = [];
    for await (const key of store.list('')) keys.push(key);
    equal(keys, ['a/two']);
    equalBytes(await store.source('a/two').read({ start: 0, end: 100 }), bytes.subarray(0, 10));
    await failsWith('NOT_FOUND', () => store.source('a/one').stat());
    equal([isObjectKey('a/two'), isObjectKey('../two')], [true, false]);
  },
  'makes a stream of a generator, and ends it when it is cancelled': async () => {
    let isEnded = false;
    const generate = async function* () {
      try {
        for (;;) yield Uint8Array.of(1);
      } finally {
        isEnded = true;
      }
    };
    const reader = toByteStream(generate()).getReader();
    equal((await reader.read()).value.length, 1);
    await reader.cancel();
    equal(isEnded, true);
  },
  'refuses an invalid range': async () => {
    await failsWith('INVALID_RANGE', () => source.read({ start: 5, end: 4 }));
  },
  'reads filehandles': async () => {
    for (const each of [fromFilehandle(toFilehandle(source)), fromBufferFilehandle(bufferFilehandle)]) {
      equal((await each.stat()).size, bytes.length);
      equalBytes(await each.read({ start: 5, end: 1e9 }), bytes.subarray(5));
      equalBytes(
        new Uint8Array(await new Response(each.stream({ start: 5, end: 1e9 })).arrayBuffer()),
        bytes.subarray(5),
      );
    }
  },
};
