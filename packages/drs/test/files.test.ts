import type { ByteSource } from '@htskit/io';
import { expect, test } from 'vitest';
import { ask, authorize, BAM, bearer, FILES, serviceOf, sourceOf } from './service.js';

/** The range headers of RFC 9110 §14 with the status and the bytes of the answer. */
test.each([
  ['bytes=0-9', 206, 0, 10],
  ['bytes=990-2000', 206, 990, 1000],
  ['bytes=-5', 206, 995, 1000],
  ['bytes=10-', 206, 10, 1000],
  ['bytes=0-1,5-6', 200, 0, 1000],
  ['lines=0-1', 200, 0, 1000],
])('answers the Range %s with %i', async (range, status, start, end) => {
  const response = await ask(serviceOf(), '/files/a.bam', { headers: { range } });
  expect(response.status).toBe(status);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(BAM.subarray(start, end));
  expect(response.headers.get('content-length')).toBe(String(end - start));
  expect(response.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end - 1}/1000` : null);
});

test.each(['bytes=5-2', 'bytes=1000-'])('refuses the Range %s with the length of the file', async (range) => {
  const response = await ask(serviceOf(), '/files/a.bam', { headers: { range } });
  expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
});

test('has the headers that clients of files need', async () => {
  const response = await ask(serviceOf(), '/files/a.bam', { headers: { origin: 'https://a.example' } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'access-control-allow-origin': 'https://a.example',
    'cache-control': 'public, no-cache, no-transform',
    'content-security-policy': 'sandbox',
    'content-type': 'application/octet-stream',
    'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range');
  const guarded = await ask(serviceOf({ authorize }), '/files/a.bam', bearer('owner'));
  expect(guarded.headers.get('cache-control')).toBe('private, no-cache, no-transform');
  expect(guarded.headers.get('vary')).toBe('Authorization, Origin');
});

test('applies conditions by the entity tag', async () => {
  const handler = serviceOf();
  const etag = (await ask(handler, '/files/a.bam', { method: 'HEAD' })).headers.get('etag') ?? '';
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await ask(handler, '/files/a.bam', { headers })).status;
  expect(await statusOf({ 'if-none-match': etag })).toBe(304);
  expect(await statusOf({ 'if-none-match': '"x"' })).toBe(200);
  expect(await statusOf({ 'if-match': '"x"' })).toBe(412);
  expect(await statusOf({ 'if-match': etag })).toBe(200);
  expect(await statusOf({ 'if-range': etag, range: 'bytes=0-1' })).toBe(206);
  expect(await statusOf({ 'if-range': '"x"', range: 'bytes=0-1' })).toBe(200);
});

test('a file that is replaced has another entity tag, and its bytes are never mixed', async () => {
  let version = '1';
  const data: ByteSource = { ...sourceOf(BAM, 'a'), stat: async () => ({ size: 1000, version }) };
  const handler = serviceOf({}, { 'a.bam': { kind: 'file', id: 'a.bam', data } });
  const before = (await ask(handler, '/files/a.bam')).headers.get('etag');
  version = '2';
  // The source has version 1 still: reading version 2 fails.
  const response = await ask(handler, '/files/a.bam');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  const after = (await ask(handler, '/files/a.bam', { method: 'HEAD' })).headers.get('etag');
  expect(after).not.toBe(before);
});

test('reads as much as the client takes, and stops when it leaves', async () => {
  let pulled = 0;
  let isCancelled = false;
  const data: ByteSource = {
    ...sourceOf(BAM, 'long'),
    stat: async () => ({ size: 2 ** 40, version: '1' }),
    stream: () =>
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            pulled++;
            controller.enqueue(new Uint8Array(1000));
          },
          cancel: () => {
            isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      ),
  };
  const handler = serviceOf({}, { long: { kind: 'file', id: 'long', data } });
  const reader = (await ask(handler, '/files/long')).body?.getReader();
  for (let count = 0; count < 3; count++) await reader?.read();
  expect(pulled).toBe(3);
  await reader?.cancel();
  expect(isCancelled).toBe(true);
});

test('reports a file that breaks off', async () => {
  const errors: unknown[] = [];
  const data: ByteSource = {
    ...sourceOf(BAM, 'broken', { size: 2 ** 20 }),
    stream: () => {
      let count = 0;
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (count++ > 0) controller.error(new Error('the disk failed'));
          else controller.enqueue(new Uint8Array(10));
        },
      });
    },
  };
  const handler = serviceOf(
    { onError: (error, id) => errors.push([String(error), id]) },
    { broken: { ...FILES['a.bam'], kind: 'file', id: 'broken', data } },
  );
  const response = await ask(handler, '/files/broken');
  await expect(response.arrayBuffer()).rejects.toThrow('the disk failed');
  expect(errors).toEqual([['Error: the disk failed', 'broken']]);
});

test('a file that is shorter than its store says is an error', async () => {
  const data = sourceOf(BAM, 'short', { size: 2000 });
  const handler = serviceOf({}, { short: { kind: 'file', id: 'short', data } });
  expect((await ask(handler, '/files/short')).status).toBe(500);
});
