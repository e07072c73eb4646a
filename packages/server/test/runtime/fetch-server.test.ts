import { importFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { s3ObjectStore } from '@htskit/storage/s3';
import { decodeBam, expectations, readFixture } from '@htskit/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFetchOptions } from '../../src/config/fetch-options.js';
import { type FetchServer, openFetchServer } from '../../src/runtime/fetch-server.js';
import { startBucket, type TestBucket } from '../bucket.js';

const PUBLIC_URL = 'https://data.example.org';
const logged: string[] = [];
let bucket: TestBucket;
let server: FetchServer;

beforeAll(async () => {
  bucket = await startBucket();
  await bucket.put({ 'a/reads.bam': 'reads.bam', 'a/reads.bam.bai': 'reads.bam.bai' });
  const store = s3ObjectStore({ ...bucket.s3, bucket: bucket.server.bucket, prefix: 'genome/' });
  await importFasta({ store, data: memorySource(readFixture('genome.fa')), namingAuthority: 'stored' });
  server = await open('');
});

afterAll(async () => {
  await server.close();
  await bucket.server.close();
});

beforeEach(() => {
  logged.length = 0;
});

/** Opens a server of the bucket, with further lines in its configuration. */
async function open(further: string): Promise<FetchServer> {
  const { endpoint, credentials } = bucket.s3;
  const text = `
htsget: { locations: [{ location: "s3://${bucket.server.bucket}/a" }] }
refget: { sources: [{ location: "s3://${bucket.server.bucket}/genome" }] }
s3: { endpoint: "${endpoint}", forcePathStyle: true, credentials: none }
${further}`;
  const options = await readFetchOptions(text, { file: 'htskit.yaml', environment: {} });
  const s3 = { ...options.s3, credentials };
  return openFetchServer({ ...options, s3, publicUrl: `${PUBLIC_URL}/`, log: (message) => void logged.push(message) });
}

function ask(path: string, init?: RequestInit): Promise<Response> {
  return server.fetch(new Request(PUBLIC_URL + path, init));
}

test('a ticket leads to blocks that the same function answers', async () => {
  const response = await ask('/reads/reads');
  expect(response.status).toBe(200);
  const { htsget } = (await response.json()) as { htsget: { urls: { url: string }[] } };
  const parts = htsget.urls.map(async ({ url }) => {
    expect(url).toMatch(/^(?:data:|https:\/\/data\.example\.org\/blocks\/)/);
    const answer = url.startsWith('data:') ? await fetch(url) : await ask(url.slice(PUBLIC_URL.length));
    return Buffer.from(await answer.arrayBuffer());
  });
  const names = decodeBam(new Uint8Array(Buffer.concat(await Promise.all(parts)))).records.map(({ name }) => name);
  expect(names).toEqual(decodeBam(readFixture('reads.bam')).records.map(({ name }) => name));
});

test('sequences of the bucket are answered by their digests', async () => {
  const [{ md5, length } = { md5: '', length: 0 }] = expectations('genome.fa').sequences;
  const bases = await (await ask(`/sequence/${md5}`)).text();
  expect(bases).toHaveLength(length);
});

test('all resources of the server are answered', async () => {
  const paths = ['/variants/service-info', '/sequence/service-info', '/coverage/reads?referenceName=chr1', '/healthz'];
  paths.push('/readyz', '/ga4gh/drs/v1/service-info', '/jbrowse/config.json', '/openapi.json', '/');
  const statuses = await Promise.all(paths.map(async (path) => [path, (await ask(path)).status]));
  expect(statuses).toEqual(paths.map((path) => [path, 200]));
});

test('a HEAD request is answered without a body', async () => {
  const response = await ask('/openapi.json', { method: 'HEAD' });
  expect([response.status, response.body]).toEqual([200, null]);
  const ticket = await ask('/reads/reads', { method: 'HEAD' });
  expect([ticket.status, await ticket.text()]).toEqual([200, '']);
});

test('a browser gets no page', async () => {
  const response = await ask('/', { headers: { accept: 'text/html,*/*;q=0.5' } });
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await ask('/docs')).status).toBe(404);
});

test('a failure is logged with its request and answered with the error of its protocol', async () => {
  const failing = await open('stores: { retries: 0 }');
  bucket.server.interfere = () => ({ status: 403, headers: {}, body: new Uint8Array(0) });
  const headers = { 'x-request-id': 'r-1' };
  const response = await failing.fetch(new Request(`${PUBLIC_URL}/reads/reads`, { headers }));
  bucket.server.interfere = () => undefined;
  await failing.close();
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ htsget: { error: 'InternalServerError' } });
  expect(logged).toEqual([expect.stringMatching(/^reads\/reads: .* \(request r-1\)$/)]);
});

test('a configuration with audit records is refused', async () => {
  const text = 'publicUrl: https://a.example\naudit: stdout';
  await expect(readFetchOptions(text, { file: 'htskit.yaml', environment: {} })).rejects.toThrow(
    'htskit.yaml:2:8: audit: audit records are written by htskit serve only',
  );
});
