import { toHono } from '@htskit/adapters/hono';
import { createHtsgetHandler } from '@htskit/htsget';
import { fromFilehandle } from '@htskit/storage/filehandle';
import { Hono } from 'hono';

interface Bindings {
  BUCKET: R2Bucket;
  PUBLIC_URL: string;
  SIGNING_KEY: string;
}

/** Reads an object of a bucket by ranges. The time of its upload and its size are its version. */
function r2Source(bucket: R2Bucket, key: string) {
  const read = async (length: number, offset: number) => {
    const object = await bucket.get(key, { range: { offset, length } });
    return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
  };
  const stat = async () => {
    const head = await bucket.head(key);
    if (head === null) throw new Error(`${key} was deleted`);
    return { size: head.size, mtimeMs: head.uploaded.getTime() };
  };
  return fromFilehandle({ read, stat }, { key: `r2:${key}` });
}

/** Every instance must accept the block URLs of the others, so the key is a secret of the Worker. */
function createHandler({ BUCKET, PUBLIC_URL, SIGNING_KEY }: Bindings) {
  return createHtsgetHandler({
    publicUrl: `${PUBLIC_URL}/htsget`,
    signingKeys: [new TextEncoder().encode(SIGNING_KEY)],
    async resolve(id, datatype) {
      if (datatype !== 'reads' || (await BUCKET.head(`${id}.bam`)) === null) return undefined;
      return [{ format: 'BAM', data: r2Source(BUCKET, `${id}.bam`), index: r2Source(BUCKET, `${id}.bam.bai`) }];
    },
  });
}

let handler: ReturnType<typeof createHandler> | undefined;

export default new Hono<{ Bindings: Bindings }>().all('/htsget/*', (context) => {
  handler ??= createHandler(context.env);
  return toHono(handler)(context);
});
