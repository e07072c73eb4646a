import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageLocation } from '@htskit/catalogue/internal';
import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { startBucket, type TestBucket } from '../../bucket.js';

const FILES = 20;
const TICKETS = 1000;
const CACHE = 'shared cache';

let bucket: TestBucket;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  bucket = await startBucket();
  await bucket.put(Object.fromEntries(Array.from({ length: FILES }, (_, file) => [`data/${file}.bam`, 'reads.bam'])));
});
afterEach(() => bucket.server.close());

type SharedCache = Exclude<StorageLocation, { readonly kind: 'http' }>;

async function start(sharedCache?: SharedCache): Promise<RunningServer> {
  const server = await serve({
    paths: [],
    objectLocations: [{ location: { kind: 's3', bucket: 'bucket', key: 'data' } }],
    s3: bucket.s3,
    // Each ticket asks for the version of its file, as one that comes some seconds after the last does.
    statSeconds: 0,
    sharedCache,
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: (message) => logged.push(message),
  });
  onTestFinished(() => server.close());
  return server;
}

/** Requests tickets of all files in turn, and returns the requests to the bucket. */
async function fetchTickets({ url }: RunningServer, tickets = TICKETS): Promise<string[]> {
  bucket.requests.length = 0;
  for (let ticket = 0; ticket < tickets; ticket++) {
    const start = (ticket * 97) % 50_000;
    const query = `referenceName=chr1&start=${start}&end=${start + 1000}`;
    const response = await fetch(`${url}/reads/${ticket % FILES}?${query}`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
  return [...bucket.requests];
}

function keptIn(requests: readonly string[]): string[] {
  return requests.filter((request) => request.includes(CACHE));
}

const inBucket: SharedCache = { kind: 's3', bucket: 'bucket', key: CACHE };

test('the first thousand tickets of a further replica take at most twice the requests of one that is warm', async () => {
  const first = await start(inBucket);
  const built = await fetchTickets(first);
  await expect.poll(() => keptIn(bucket.requests).filter((request) => request.startsWith('PUT')).length).toBe(FILES);
  const warm = await fetchTickets(first);
  const cold = await fetchTickets(await start(inBucket));
  expect(keptIn(warm)).toEqual([]);
  expect(keptIn(cold)).toHaveLength(FILES);
  expect(keptIn(cold).every((request) => request.startsWith('GET'))).toBe(true);
  expect(keptIn(built).length).toBeGreaterThanOrEqual(2 * FILES);
  expect(cold.length).toBeLessThan(2 * warm.length);
});

test('replicas share a folder, in which each version of a file has its index', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = (): string[] => readdirSync(join(folder, 'cache/indexes'));
  const location: SharedCache = { kind: 'path', path: join(folder, 'cache') };
  await fetchTickets(await start(location), FILES);
  await expect.poll(() => list().length).toBe(FILES);
  const store = s3ObjectStore({ ...bucket.s3, bucket: 'bucket' });
  await store.put('data/0.bam', readFixture('straddle.bam'));
  await fetchTickets(await start(location), FILES);
  await expect.poll(() => list().length).toBe(FILES + 1);
  expect(logged).toEqual([]);
});

test('a shared cache that cannot be written is logged once, and does no harm', async () => {
  const server = await start(inBucket);
  bucket.server.interfere = ({ key }) =>
    key.startsWith(CACHE) ? { status: 403, headers: {}, body: new Uint8Array() } : undefined;
  await fetchTickets(server, FILES);
  await expect.poll(() => logged.length).toBe(1);
  expect(logged).toEqual(['sharedCache: cannot write an index: the store refuses access to the object']);
});
