import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BigWigMemory, BigWigWriter } from '@htskit/formats';
import { s3ObjectStore } from '@htskit/storage/s3';
import { readFixture } from '@htskit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FILES, IN_BUCKET, type SharedCache, useReplicas } from './shared-replicas.js';

/** The parts of `reads.bam` that opening it reads: its start, its end, and its index. To build an index takes one more. */
const PARTS = 3;

function isRead(request: string): boolean {
  return request.startsWith('GET data/');
}

function isWrite(request: string): boolean {
  return request.startsWith('PUT ');
}

/** Everything that is read of the files is written to the cache, for which no response waits. */
async function untilSaved(requests: readonly string[]): Promise<void> {
  await expect.poll(() => requests.filter(isWrite).length - requests.filter(isRead).length).toBe(0);
}

describe('of files without an index', () => {
  const replicas = useReplicas({ isIndexed: false });

  test('replicas share a folder, in which each version of a file has its parts', async () => {
    const { bucket, logged, start, fetchTickets } = replicas();
    const folder = mkdtempSync(join(tmpdir(), 'htskit-shared-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const list = (): string[] => readdirSync(join(folder, 'cache/shared'));
    const location: SharedCache = { kind: 'path', path: join(folder, 'cache') };
    await fetchTickets(await start(location), FILES);
    await expect.poll(() => list().length).toBe((PARTS + 1) * FILES);
    const store = s3ObjectStore({ ...bucket.s3, bucket: 'bucket' });
    await store.put('data/0.bam', readFixture('straddle.bam'));
    await fetchTickets(await start(location), FILES);
    await expect.poll(() => list().length).toBeGreaterThan((PARTS + 1) * FILES);
    expect(logged).toEqual([]);
  });

  test('a shared cache that cannot be used is logged once, and does no harm', async () => {
    const { bucket, logged, start, fetchTickets } = replicas();
    const server = await start(IN_BUCKET);
    bucket.server.interfere = ({ key }) =>
      key.startsWith('shared cache/') ? { status: 403, headers: {}, body: new Uint8Array() } : undefined;
    await fetchTickets(server, FILES);
    await expect.poll(() => logged).toEqual(['cannot read from sharedCache: the store refuses access to the object']);
  });
});

describe('of files with an index', () => {
  const replicas = useReplicas({ isIndexed: true });

  /** Starts a replica, and returns the requests that its first tickets take. */
  async function startNext(): Promise<readonly string[]> {
    const { bucket, start, fetchTickets } = replicas();
    const requests = await fetchTickets(await start(IN_BUCKET), FILES);
    await untilSaved(bucket.requests);
    return requests;
  }

  test('the first replica alone reads headers and indexes', async () => {
    expect((await startNext()).filter(isRead)).toHaveLength(PARTS * FILES);
    expect((await startNext()).filter(isRead)).toEqual([]);
  });

  test('a new version of a file and its index is read', async () => {
    const { bucket } = replicas();
    await startNext();
    await bucket.put({ 'data/3.bam': 'straddle.bam', 'data/3.bam.bai': 'straddle.bam.bai' });
    expect(new Set((await startNext()).filter(isRead))).toEqual(new Set(['GET data/3.bam', 'GET data/3.bam.bai']));
    expect((await startNext()).filter(isRead)).toEqual([]);
  });

  test('a part that was written to the cache without the key is read from its file, and replaced', async () => {
    const { bucket } = replicas();
    const store = s3ObjectStore({ ...bucket.s3, bucket: 'bucket' });
    await startNext();
    const keys: string[] = [];
    for await (const key of store.list('shared cache/')) keys.push(key);
    for (const key of keys) await store.put(key, readFixture('straddle.bam'));
    expect((await startNext()).filter(isRead)).toHaveLength(PARTS * FILES);
    expect((await startNext()).filter(isRead)).toEqual([]);
  });

  test('the bigWig of a file is read once for all replicas', async () => {
    const { bucket, start } = replicas();
    const store = s3ObjectStore({ ...bucket.s3, bucket: 'bucket' });
    await store.put('data/0.bam.coverage.bw', await makeBigWig());
    const answers: string[] = [];
    for (const isFirst of [true, false]) {
      const { url } = await start(IN_BUCKET, { exactBytes: 20_000 });
      bucket.requests.length = 0;
      answers.push(await (await fetch(`${url}/coverage/0?referenceName=chr1&bins=10`)).text());
      expect(bucket.requests.some((request) => request === 'GET data/0.bam.coverage.bw')).toBe(isFirst);
      await untilSaved(bucket.requests);
    }
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ estimated: false, mean: new Array(10).fill(7) });
    expect(answers[1]).toBe(answers[0]);
  });
});

/** A depth of 7 everywhere. */
async function makeBigWig(): Promise<Uint8Array> {
  const target = new BigWigMemory();
  const length = 150_000;
  const writer = new BigWigWriter(target, { references: [{ name: 'chr1', length }] });
  await writer.write({ referenceId: 0, length: 1, start: [0], end: [length], value: [7] });
  await writer.finish();
  return target.bytes;
}
