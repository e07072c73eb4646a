import { fetchTicket, streamTicket } from '@htskit/client';
import type { Ticket } from '@htskit/protocol';
import { s3ObjectStore } from '@htskit/storage/s3';
import {
  decodeBam,
  expectations,
  LambdaFunction,
  type LambdaFunctionOptions,
  readFixture,
  S3Server,
  type UnzippedFunction,
  unzipFunction,
} from '@htskit/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const KEYS = { accessKeyId: 'id', secretAccessKey: 'secret' };
const HTSKIT_KEY = 'utf8:0123456789abcdef';
/** Longer than a buffered response. */
const LARGE = new Uint8Array(7e6).map((_, offset) => offset % 251);
let bucket: S3Server;
let unzipped: UnzippedFunction;
/** The version of the large object. */
let etag = '';
/** The rest of a response whose connection is closed. */
const NOTHING = { status: 200, headers: {}, body: new Uint8Array(0) };
const { recordCount } = expectations('reads.bam');
const requests: string[] = [];

beforeAll(async () => {
  unzipped = unzipFunction();
  bucket = await S3Server.start({ keys: KEYS });
  const { endpoint } = bucket;
  const store = s3ObjectStore({ endpoint, bucket: bucket.bucket, forcePathStyle: true, credentials: KEYS });
  for (const name of ['reads.bam', 'reads.bam.bai']) await store.put(name, readFixture(name));
  await store.put('large.bam', LARGE);
  etag = (await store.source('large.bam').stat()).version ?? '';
});

afterAll(async () => {
  await bucket.close();
  unzipped.remove();
});

beforeEach(() => {
  requests.length = 0;
  bucket.interfere = ({ method, key }) => {
    requests.push(`${method} ${key}`);
    return undefined;
  };
});

interface Settings extends Partial<Pick<LambdaFunctionOptions, 'handler' | 'instances'>> {
  readonly environment?: Readonly<Record<string, string>>;
}

/** Calls `use` with the URL of a function of the bucket. */
async function withFunction(settings: Settings, use: (url: string) => Promise<void>): Promise<void> {
  const { handler = 'streamed.handler', instances = 1, environment } = settings;
  const variables = {
    HTSKIT_BUCKET: bucket.bucket,
    HTSKIT_KEY,
    HTSKIT_PUBLIC_URL: '{url}',
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    ...environment,
  };
  const started = await LambdaFunction.start({ folder: unzipped.folder, handler, instances, environment: variables });
  try {
    await use(started.url);
  } finally {
    await started.close();
  }
}

/** Returns the number of records of a ticket whose blocks are fetched. */
async function countRecords(ticket: Ticket): Promise<number> {
  const bytes = await new Response(streamTicket(ticket)).bytes();
  return decodeBam(bytes).records.length;
}

/** Returns the origins of the blocks that are fetched. */
function originsOf({ htsget }: Ticket): readonly string[] {
  const fetched = htsget.urls.filter(({ url }) => !url.startsWith('data:'));
  return [...new Set(fetched.map(({ url }) => new URL(url).origin))];
}

/** The configuration of a bucket whose blocks the function sends. */
const configOf = (setting: string): string => `
htsget: { locations: [{ location: "s3://${bucket.bucket}" }], ${setting} }
s3: { endpoint: "\${AWS_ENDPOINT_URL_S3}", forcePathStyle: true }
auth: { signingKeys: ["\${HTSKIT_KEY}"] }`;

test('a ticket leads to blocks that every instance streams', async () => {
  const environment = { HTSKIT_CONFIG: configOf('maxBlockBytes: 65536') };
  await withFunction({ instances: 2, environment }, async (url) => {
    const ticket = await fetchTicket(`${url}/reads/reads`);
    expect(ticket.htsget.urls.filter((block) => block.url.startsWith(`${url}/blocks/`)).length).toBeGreaterThan(2);
    expect(originsOf(ticket)).toEqual([url]);
    expect(await countRecords(ticket)).toBe(recordCount);
  });
});

test('a warm function reads no index and no header again', async () => {
  await withFunction({}, async (url) => {
    await fetchTicket(`${url}/reads/reads`, { referenceName: 'chr1', start: 0, end: 1000 });
    expect(requests).toContain('GET reads.bam.bai');
    requests.length = 0;
    await fetchTicket(`${url}/reads/reads`, { referenceName: 'chr2', start: 0, end: 1000 });
    expect(requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  });
});

test('the bucket sends the blocks of a buffered function', async () => {
  await withFunction({ handler: 'buffered.handler' }, async (url) => {
    const ticket = await fetchTicket(`${url}/reads/reads`);
    expect(originsOf(ticket)).toEqual([bucket.endpoint]);
    expect(await countRecords(ticket)).toBe(recordCount);
  });
});

test('a buffered function sends blocks, too', async () => {
  const environment = { HTSKIT_CONFIG: configOf('precision: exact') };
  await withFunction({ handler: 'buffered.handler', environment }, async (url) => {
    const ticket = await fetchTicket(`${url}/reads/reads`);
    expect(originsOf(ticket)).toEqual([url]);
    expect(await countRecords(ticket)).toBe(recordCount);
  });
});

test('a file that is too long for one response is streamed, and refused by a buffered function', async () => {
  const environment = { HTSKIT_CONFIG: configOf('precision: exact') };
  await withFunction({ environment }, async (url) => {
    const response = await fetch(`${url}/files/large.bam`);
    expect(Buffer.from(LARGE).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });
  await withFunction({ handler: 'buffered.handler', environment }, async (url) => {
    const response = await fetch(`${url}/files/large.bam`);
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('use presigned delivery')]);
    const part = await fetch(`${url}/files/large.bam`, { headers: { range: 'bytes=6999000-6999999' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1000]);
  });
});

test('a body that the bucket breaks off has no regular end', async () => {
  const environment = { HTSKIT_CONFIG: `${configOf('precision: exact')}\nstores: { retries: 0 }` };
  await withFunction({ environment }, async (url) => {
    bucket.interfere = ({ method, message: { headers, socket } }) => {
      if (method !== 'GET' || headers.range !== 'bytes=0-6999999') return undefined;
      const head = [
        'HTTP/1.1 206 Partial Content',
        'content-length: 7000000',
        'content-range: bytes 0-6999999/7000000',
      ];
      socket.write([...head, `etag: ${etag}`, '', ''].join('\r\n'));
      socket.write(LARGE.subarray(0, 1e6), () => socket.destroy());
      return NOTHING;
    };
    const response = await fetch(`${url}/files/large.bam`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });
});

test('block URLs begin with the URL of the function by default', async () => {
  await withFunction({ environment: { HTSKIT_PUBLIC_URL: '' } }, async (url) => {
    const ticket = await fetchTicket(`${url}/reads/reads`);
    expect(originsOf(ticket)).toEqual([url.replace('http:', 'https:')]);
  });
});

test('a function without a key does not start, and logs why', async () => {
  const started = withFunction({ environment: { HTSKIT_KEY: '' } }, async () => undefined);
  await expect(started).rejects.toThrow('set HTSKIT_KEY, or auth.signingKeys of the configuration');
});
