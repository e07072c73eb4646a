import { expect, test } from 'vitest';
import { s3ObjectStore } from '../../src/s3/s3-object-store.js';

async function* chunksOf(length: number, content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
}

test('an object has at most 10,000 parts: larger ones for a known size, an error for an unknown one', async () => {
  let partCount = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (typeof url === 'string' && url.includes('partNumber')) partCount++;
    const xml = init?.method === 'POST' ? '<UploadId>id</UploadId>' : '';
    return new Response(xml, { headers: { etag: '"etag"' } });
  };
  const tiny = s3ObjectStore({ bucket: 'b', fetch, partBytes: 1 });
  const content = new Uint8Array(10_001);
  await tiny.put('a', { size: content.length, chunks: chunksOf(5_000, content) });
  expect(partCount).toBe(5_001);
  await expect(tiny.put('a', chunksOf(5_000, content))).rejects.toMatchObject({
    code: 'INVALID_CONTENT',
    message: 'the object needs more than 10000 parts; increase partBytes',
  });
});
