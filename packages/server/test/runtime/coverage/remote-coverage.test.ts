import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoverageDocument } from '@htskit/coverage/handler';
import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture, S3Server } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
const QUERY = 'referenceName=chr1&start=1000&end=60000&bins=30';

let folder: string;
let bucket: S3Server;
let server: RunningServer;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  bucket = await S3Server.start({ keys });
  const s3 = { endpoint: bucket.endpoint, forcePathStyle: true, credentials: keys };
  const store = s3ObjectStore({ ...s3, bucket: bucket.bucket });
  for (const name of ['reads.bam', 'reads.bam.bai']) await store.put(name, readFixture(name));
  server = await serve({
    paths: [],
    objectLocations: [{ location: { kind: 's3', bucket: bucket.bucket, key: '' } }],
    s3,
    coverage: 'on',
    coverageFolder: { path: join(folder, 'made'), maxBytes: 1e6 },
    coverageLimits: { exactBytes: 60_000 },
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: (message) => logged.push(message),
  });
});

afterEach(async () => {
  await server.close();
  await bucket.close();
  rmSync(folder, { recursive: true });
});

async function fetchBins(): Promise<CoverageDocument> {
  return (await (await fetch(`${server.url}/coverage/reads?${QUERY}`)).json()) as CoverageDocument;
}

test('a file in a bucket gets its bigWig in the folder, which answers after it was made', async () => {
  expect((await fetchBins()).estimated).toBe(true);
  await expect.poll(async () => (await fetchBins()).estimated).toBe(false);
  expect(logged.filter((message) => message.includes('depth'))).toEqual([]);
  // The claim goes when the thread has ended, after the file is there.
  const made = readdirSync(join(folder, 'made')).filter((name) => !name.endsWith('.claim'));
  expect(made).toEqual([expect.stringMatching(/^[\w-]{32}\.bw$/)]);
  const { max = [] } = await fetchBins();
  expect(Math.max(...Array.from(max))).toBeGreaterThan(0);
  const bigWig = await fetch(`${server.url}/coverage/reads.bw`, { headers: { range: 'bytes=0-3' } });
  expect([...new Uint8Array(await bigWig.arrayBuffer())]).toEqual([0x26, 0xfc, 0x8f, 0x88]);
});
