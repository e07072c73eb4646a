import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNodeListener } from '@htskit/adapters/node';
import type { CramReferenceRequest } from '@htskit/htsget';
import { RefgetError } from '@htskit/protocol';
import { createCatalogue, createRefgetHandler, type SequenceCatalogue } from '@htskit/refget';
import { openFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { expectations, readFixture } from '@htskit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceSource } from '../../../src/runtime/references/reference-source.js';

const catalogue = createCatalogue(await openFasta({ data: memorySource(readFixture('genome.fa')) }));
const empty: SequenceCatalogue = { find: () => [] };
const [chr1] = expectations('genome.fa').sequences;
if (chr1 === undefined) throw new Error('the fixture has no sequences');

function request(bounds: Partial<CramReferenceRequest> = {}): CramReferenceRequest {
  const { name, length, md5 } = chr1 ?? { name: '', length: 0, md5: '' };
  return { name, length, md5, start: 100, end: 200, signal: undefined, ...bounds };
}

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a remote service, and lists the sequences requested of it. */
async function startService(listener: RequestListener): Promise<{ refget: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.includes('service-info') === false) requests.push(incoming.url);
    listener(incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { refget: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sequence/`, requests };
}

const refgetListener = toNodeListener(createRefgetHandler({ catalogue }));
const [sequence] = await catalogue.find({ kind: 'md5', digest: chr1.md5 });
const expected = await sequence?.read({ start: 100, end: 200 });

describe('the source of references', () => {
  test('reads the sequences of the server by their MD5', async () => {
    const bases = await createReferenceSource(catalogue)(request());
    expect(bases).toEqual(expected);
    expect(bases).toHaveLength(100);
  });

  test('has nothing without an MD5, for another length, and for an unknown MD5', async () => {
    const source = createReferenceSource(catalogue);
    expect(await source(request({ md5: undefined }))).toBeUndefined();
    expect(await source(request({ length: 7, start: 0, end: 7 }))).toBeUndefined();
    expect(await source(request({ md5: '0'.repeat(32) }))).toBeUndefined();
  });

  test('requests parts of a remote sequence without a cache', async () => {
    const { refget, requests } = await startService(refgetListener);
    const source = createReferenceSource(empty, { refget });
    expect(await source(request())).toEqual(expected);
    expect(requests).toEqual([`/sequence/${chr1.md5}?start=100&end=200`]);
    expect(await source(request({ md5: '0'.repeat(32) }))).toBeUndefined();
  });

  test('follows redirects of a remote service to other hosts only if they are allowed', async () => {
    const { refget, requests } = await startService(refgetListener);
    const redirecting = await startService((incoming, outgoing) => {
      outgoing.writeHead(302, { location: new URL(incoming.url ?? '', refget).href }).end();
    });
    const source = createReferenceSource(empty, { refget: redirecting.refget });
    await expect(source(request())).rejects.toMatchObject({ status: 503 });
    expect(requests).toEqual([]);
    const redirectHosts = [new URL(refget).host];
    expect(await createReferenceSource(empty, { refget: redirecting.refget, redirectHosts })(request())).toEqual(
      expected,
    );
  });

  test('downloads a whole sequence once to its cache, and only looks for the first base before', async () => {
    const cache = join(scratchFolder(), 'references');
    const { refget, requests } = await startService(refgetListener);
    const source = createReferenceSource(empty, { refget, cache });
    expect(await source(request({ start: 0, end: 1 }))).toHaveLength(1);
    expect(requests).toEqual([`/sequence/${chr1.md5}?start=0&end=1`]);
    const parts = await Promise.all([source(request()), source(request()), source(request({ start: 0, end: 1 }))]);
    expect(parts.slice(0, 2)).toEqual([expected, expected]);
    const whole = requests.filter((path) => !path.includes('?'));
    expect(whole).toEqual([`/sequence/${chr1.md5}`]);
    expect(readdirSync(cache)).toEqual([chr1.md5]);
    expect(readFileSync(join(cache, chr1.md5))).toHaveLength(chr1.length);
    const later = createReferenceSource(empty, { refget: 'http://127.0.0.1:1/sequence/', cache });
    expect(await later(request())).toEqual(expected);
  });

  test('keeps no sequence whose digest differs', async () => {
    const cache = scratchFolder();
    const { refget } = await startService((_, outgoing) => outgoing.end('ACGT'.repeat(100)));
    const source = createReferenceSource(empty, { refget, cache });
    await expect(source(request())).rejects.toMatchObject({ status: 503 });
    expect(readdirSync(cache)).toEqual([]);
  });

  test('is a transient failure if the service fails, or the sequences are still being digested', async () => {
    const { refget } = await startService((_, outgoing) => outgoing.writeHead(403).end());
    const failing = createReferenceSource(empty, { refget });
    await expect(failing(request())).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
    const pending: SequenceCatalogue = {
      find: () => {
        throw new RefgetError('Service Unavailable', 'not found among the sequences digested so far');
      },
    };
    await expect(createReferenceSource(pending)(request())).rejects.toMatchObject({ status: 503 });
    const cache = scratchFolder();
    writeFileSync(join(cache, chr1.md5), 'A'.repeat(chr1.length));
    const cached = createReferenceSource(pending, { refget, cache });
    expect(await cached(request())).toEqual(new Uint8Array(100).fill(65));
  });
});
