import type { Ticket, TicketBlock } from '@htskit/protocol';
import { importFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { r2ObjectStore } from '@htskit/storage/r2';
import { bgunzip, decodeBam, expectations, readFixture } from '@htskit/testing';
import type { LocalWorker } from '@htskit/testing/workerd';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTemplate } from './worker-template.js';

const REGION = 'referenceName=chr1&start=5000&end=9000';

let worker: LocalWorker;
beforeAll(async () => {
  worker = await startTemplate({
    'reads.bam': 'reads.bam',
    'reads.bam.bai': 'reads.bam.bai',
    'cram/reads.cram': 'reads.cram',
    'cram/reads.cram.crai': 'reads.cram.crai',
  });
});
afterAll(() => worker.dispose());

function get(path: string, headers: TicketBlock['headers'] = {}): Promise<Response> {
  return fetch(new URL(path, worker.url), { headers });
}

/** Returns the requests of the Worker to its bucket since the last call, such as `head reads.bam`. */
async function bucketRequests(): Promise<string[]> {
  return (await (await get('/requests')).json()) as string[];
}

async function ticketOf(path: string): Promise<readonly TicketBlock[]> {
  const response = await get(path);
  expect(response.status).toBe(200);
  return ((await response.json()) as Ticket).htsget.urls;
}

/** PUBLIC_URL is that of wrangler.jsonc, and the Worker has a port of its own. */
function getBlock({ url, headers }: TicketBlock): Promise<Response> {
  return url.startsWith('data:') ? fetch(url) : get(new URL(url).pathname, headers);
}

async function readBlocks(urls: readonly TicketBlock[]): Promise<Uint8Array> {
  const blocks = await Promise.all(
    urls.map(async (block) => new Uint8Array(await (await getBlock(block)).arrayBuffer())),
  );
  return Buffer.concat(blocks);
}

async function namesIn(path: string): Promise<string[]> {
  const bam = await readBlocks(await ticketOf(path));
  return decodeBam(bam).records.map(({ name }) => name);
}

const expectedNames = decodeBam(readFixture('reads.bam'))
  .records.filter(({ referenceId, position, end }) => referenceId === 0 && position < 9000 && end > 5000)
  .map(({ name }) => name);

test('serves exactly the records of a region', async () => {
  expect(expectedNames.length).toBeGreaterThan(10);
  expect(await namesIn(`/reads/reads?${REGION}`)).toEqual(expectedNames);
});

test('serves a whole file', async () => {
  const bytes = await readBlocks(await ticketOf('/reads/reads'));
  expect(Buffer.compare(bgunzip(bytes), bgunzip(readFixture('reads.bam')))).toBe(0);
});

test('serves the depth of a region', async () => {
  const response = await get(`/coverage/reads?${REGION}&bins=2`);
  expect(await response.json()).toMatchObject({ estimated: false, referenceName: 'chr1', start: 5000, end: 9000 });
});

test.each(['/reads/unknown', '/variants/reads', '/sequence/SQ.unknown', '/elsewhere', '/'])(
  '%s is not found',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

describe('an index', () => {
  const PATH = `/reads/indexed?${REGION}`;
  const READ = 'get indexed.bam.bai';

  test('is read from the bucket by the first isolate only, until it is replaced', async () => {
    const index = readFixture('reads.bam.bai');
    await worker.bucket.put('indexed.bam', readFixture('reads.bam'));
    await worker.bucket.put('indexed.bam.bai', index);
    await bucketRequests();
    expect(await namesIn(PATH)).toEqual(expectedNames);
    expect(await bucketRequests()).toContain(READ);

    worker = await worker.restart();
    // Concurrent first requests share what they load.
    const all = await Promise.all(Array.from({ length: 8 }, () => namesIn(PATH)));
    expect(all).toEqual(Array.from({ length: 8 }, () => expectedNames));
    const ofSecond = await bucketRequests();
    expect(ofSecond).toContain('head indexed.bam.bai');
    expect(ofSecond).not.toContain(READ);

    // The number of unplaced reads at its end is optional (SAMv1 §5.2).
    await worker.bucket.put('indexed.bam.bai', index.subarray(0, -8));
    worker = await worker.restart();
    expect(await namesIn(PATH)).toEqual(expectedNames);
    expect(await bucketRequests()).toContain(READ);
  });

  test('is parsed once by an isolate', async () => {
    await ticketOf(PATH);
    await bucketRequests();
    await ticketOf(PATH);
    expect(await bucketRequests()).toEqual([]);
  });
});

test('refuses what is switched off', async () => {
  expect((await get(`/reads/cram/reads?format=BAM&${REGION}`)).status).toBe(400);
  expect((await get('/sequence/service-info')).status).toBe(404);
});

describe('another isolate with more switched on', () => {
  let replaced: TicketBlock = { url: '' };
  beforeAll(async () => {
    await worker.bucket.put('replaced.bam', readFixture('reads.bam'));
    replaced = (await ticketOf('/reads/replaced')).find(({ url }) => !url.startsWith('data:')) ?? replaced;
    await worker.bucket.put('replaced.bam', readFixture('straddle.bam'));
    const store = r2ObjectStore(worker.bucket, { prefix: 'refget/' });
    await importFasta({ store, data: memorySource(readFixture('genome.fa')) });
    worker = await worker.restart({ TRANSFORMS: 'true', SEQUENCES: 'refget' });
  });

  test('refuses the blocks of an object that was replaced since its ticket', async () => {
    expect((await getBlock(replaced)).status).toBe(409);
  });

  test('converts CRAM', async () => {
    expect(await namesIn(`/reads/cram/reads?format=BAM&${REGION}`)).toEqual(expectedNames);
  });

  test('serves the sequences of a store below a prefix', async () => {
    const [sequence] = expectations('genome.fa').sequences;
    const response = await get(`/sequence/${sequence?.md5}?start=10&end=20`);
    const [, ...lines] = Buffer.from(readFixture('genome.fa')).toString('latin1').split('\n');
    expect(await response.text()).toBe(lines.join('').slice(10, 20).toUpperCase());
  });
});

test('leaves the data to the S3 API of the bucket, if it has credentials', async () => {
  worker = await worker.restart({
    S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
    S3_BUCKET: 'genomes',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  const { version } = await r2ObjectStore(worker.bucket).source('reads.bam').stat();
  const block = (await ticketOf('/reads/reads')).find(({ url }) => !url.startsWith('data:'));
  const { origin, pathname, searchParams } = new URL(block?.url ?? '');
  expect(origin + pathname).toBe('https://account.r2.cloudflarestorage.com/genomes/reads.bam');
  expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
  expect(block?.headers).toMatchObject({ 'If-Match': version });
});
