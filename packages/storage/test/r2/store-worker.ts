import { isObjectKey, StorageError } from '@htskit/io';
import { type R2BucketBinding, r2ObjectStore } from '../../src/r2/index.js';

const CHUNK_BYTES = 100_000;

async function* chunksOf(byteLength: number, failure?: string): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < byteLength; at += CHUNK_BYTES) {
    yield new Uint8Array(Math.min(CHUNK_BYTES, byteLength - at)).fill(7);
  }
  if (failure !== undefined) throw new Error(failure);
}

/** Runs an operation and returns its outcome: a put of a view, a put of a stream of `bytes` that declares `size`, or a stream. */
async function run(operation: string, parameters: URLSearchParams, bucket: R2BucketBinding): Promise<unknown> {
  const store = r2ObjectStore(bucket);
  const key = parameters.get('key') ?? '';
  if (!isObjectKey(key)) throw new TypeError('expected a key');
  if (operation === 'put-view') {
    const byteLength = Number(parameters.get('bytes'));
    await store.put(key, new Uint8Array(byteLength + 10).subarray(5, 5 + byteLength));
    return 'put';
  }
  if (operation === 'put') {
    const chunks = chunksOf(Number(parameters.get('bytes')), parameters.get('failure') ?? undefined);
    const size = Number(parameters.get('size') ?? parameters.get('bytes'));
    await store.put(key, { size, chunks }, parameters.has('new') ? { replaces: null } : {});
    return 'put';
  }
  const sizes: number[] = [];
  const reader = store.source(key).stream({ start: 5, end: Number.MAX_SAFE_INTEGER }).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.length);
  return sizes;
}

export default {
  async fetch(request: Request, { BUCKET }: { readonly BUCKET: R2BucketBinding }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const outcome = run(pathname.slice(1), searchParams, BUCKET).catch((error: Error) =>
      error instanceof StorageError ? error.code : error.message,
    );
    return Response.json(await outcome);
  },
};
