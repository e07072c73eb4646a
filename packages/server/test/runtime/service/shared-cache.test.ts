import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { FILES, IN_BUCKET, type SharedCache, useReplicas } from './shared-replicas.js';

const replicas = useReplicas();

test('replicas share a folder, in which each version of a file has its index', async () => {
  const { bucket, logged, start, fetchTickets } = replicas();
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
  const { bucket, logged, start, fetchTickets } = replicas();
  const server = await start(IN_BUCKET);
  bucket.server.interfere = ({ key }) =>
    key.startsWith('shared cache/') ? { status: 403, headers: {}, body: new Uint8Array() } : undefined;
  await fetchTickets(server, FILES);
  await expect.poll(() => logged.length).toBe(1);
  expect(logged).toEqual(['sharedCache: cannot write an index: the store refuses access to the object']);
});
