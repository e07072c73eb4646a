import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { type ByteRange, type ByteSource, StorageError, toByteStream } from '@htskit/io';
import { WorkerError } from '@htskit/io/workers';
import { memorySource } from '@htskit/storage/memory';
import { collectSlowly, readFixture } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeliveryWorkers, planFile, streamPlan } from '../../src/index.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { observeTransforms, openingWorkers } from '../observed-workers.js';
import { fetchFile, fetchTicket } from '../read-ticket.js';

let workers: DeliveryWorkers;
beforeAll(() => {
  workers = new DeliveryWorkers({ threads: 2 });
});
afterAll(() => workers.close());

/** Queries whose records are filtered, rewritten, or both. */
const QUERIES = [
  ['reads.bam', '&referenceName=chr1&start=1000&end=60000'],
  ['reads.bam', '&tags=NM&fields=QNAME,FLAG,POS'],
  ['reads.bam', '&referenceName=chr1&start=1000&end=60000&notags=NM'],
  ['variants.vcf.gz', '&referenceName=chr1&start=0&end=60000&tags=DP'],
  ['variants.bcf', '&referenceName=chr1&start=0&end=60000&notags=DP'],
] as const;

test.each(QUERIES)('%s%s: workers send the same bytes as the thread of the handler', async (name, query) => {
  const path = fixturePathOf(name) + query;
  const observed = observeTransforms(workers);
  const expected = await fetchFile(fixtureHandler({ precision: 'exact' }), path);
  const actual = await fetchFile(fixtureHandler({ precision: 'exact', workers: observed }), path);
  expect(Buffer.compare(actual, expected)).toBe(0);
  expect(observed.opened.length).toBeGreaterThan(0);
});

test('VCFTEXT is sent as text', async () => {
  const path = fixturePathOf('variants.vcf.gz').replace('VCF', 'VCFTEXT');
  const [expected, actual] = await Promise.all([
    fetchFile(fixtureHandler(), path),
    fetchFile(fixtureHandler({ workers }), path),
  ]);
  expect(Buffer.from(actual).toString()).toBe(Buffer.from(expected).toString());
});

test.each([61, 777, 20_000])('chunks of %i bytes result in the same bytes', async (chunkSize) => {
  const bytes = readFixture('reads.bam');
  const plan = await planFile({ format: 'BAM', data: memorySource(bytes) }, { tags: ['NM'] });
  const read = async (data: ByteSource, options: object): Promise<Buffer> => {
    return collectSlowly(streamPlan(plan, data, options));
  };
  const expected = await read(memorySource(bytes), {});
  expect(Buffer.compare(await read(inChunks(bytes, chunkSize), { workers }), expected)).toBe(0);
  expect(Buffer.compare(await read(inChunks(bytes, chunkSize), {}), expected)).toBe(0);
});

/** A source that streams chunks of at most `chunkSize` bytes. */
function inChunks(bytes: Uint8Array, chunkSize: number): ByteSource {
  const source = memorySource(bytes);
  async function* chunksOf({ start, end }: ByteRange): AsyncGenerator<Uint8Array, void> {
    for (let at = start; at < end; at += chunkSize) yield bytes.slice(at, Math.min(at + chunkSize, end));
  }
  return {
    key: source.key,
    stat: (options) => source.stat(options),
    read: (range, options) => source.read(range, options),
    stream: (range) => toByteStream(chunksOf(range)),
  };
}

describe('errors', () => {
  async function readAll(bytes: Uint8Array, options: object, planned = readFixture('reads.bam')): Promise<unknown> {
    const plan = await planFile({ format: 'BAM', data: memorySource(planned) }, { tags: ['NM'] });
    try {
      for await (const chunk of streamPlan(plan, memorySource(bytes, { key: 'damaged' }), options))
        expect(chunk.length).toBeGreaterThan(0);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  test.each([
    ['a corrupt block', (bytes: Uint8Array) => bytes.fill(0x55, bytes.length - 400, bytes.length - 300)],
    ['a truncated file', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 400)],
  ])('%s is the same error', async (_, damage) => {
    const bytes = damage(new Uint8Array(readFixture('reads.bam')));
    const expected = await readAll(bytes, {});
    const actual = await readAll(bytes, { workers });
    expect(expected).toBeInstanceOf(Error);
    expect(Object.getPrototypeOf(actual)).toBe(Object.getPrototypeOf(expected));
    expect({ ...(actual as object), message: (actual as Error).message }).toEqual({
      ...(expected as object),
      message: (expected as Error).message,
    });
  });

  test('a malformed record is the same FormatError', async () => {
    const header = Uint8Array.of(0x42, 0x41, 0x4d, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const bytes = Buffer.concat([deflateBlocks(header), deflateBlocks(new Uint8Array(100)), EOF_MARKER]);
    const expected = await readAll(bytes, {}, bytes);
    const actual = await readAll(bytes, { workers }, bytes);
    expect(expected).toMatchObject({ name: 'FormatError', code: 'INVALID_DATA' });
    expect(actual).toEqual(expected);
    expect(Object.getPrototypeOf(actual)).toBe(Object.getPrototypeOf(expected));
  });

  test('a full queue is 503 with Retry-After', async () => {
    const full = openingWorkers(() => ({
      run: () => Promise.reject(new WorkerError('QUEUE_FULL', '256 jobs are waiting for a worker')),
      close: () => undefined,
    }));
    const handler = fixtureHandler({ workers: full });
    const ticket = await fetchTicket(handler, `${fixturePathOf('reads.bam')}&tags=NM`);
    const { url = '' } = ticket.htsget.urls.find((block) => block.class === 'body') ?? {};
    const response = await handler(new Request(url));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ htsget: { error: 'InternalServerError' } });
  });
});

test('the client of a request is the key of its transforms', async () => {
  const observed = observeTransforms(workers);
  const handler = fixtureHandler({
    workers: observed,
    clientOf: (request: Request) => request.headers.get('x-client') ?? undefined,
  });
  const ticket = await fetchTicket(handler, `${fixturePathOf('reads.bam')}&tags=NM`);
  const { url = '' } = ticket.htsget.urls.find((block) => block.class === 'body') ?? {};
  for (const client of ['a', 'b']) await (await handler(new Request(url, { headers: { 'x-client': client } }))).blob();
  expect(observed.opened.map(({ client }) => client)).toEqual(['a', 'b']);
});

test('aborting the signal ends a transform that waits, and the read', async () => {
  const { data } = fixtureFile('reads.bam');
  const plan = await planFile({ format: 'BAM', data }, { tags: ['NM'] });
  const controller = new AbortController();
  let reject: (error: Error) => void = () => undefined;
  const stuck = openingWorkers(() => ({
    run: () =>
      new Promise<never>((_, fail) => {
        reject = fail;
      }),
    close: () => reject(new WorkerError('ENDED', 'the session was closed')),
  }));
  const chunks = streamPlan({ ...plan, segments: plan.segments.filter(({ kind }) => kind === 'cut') }, data, {
    workers: stuck,
    signal: controller.signal,
  });
  const failure = chunks.next().catch((error: unknown) => error);
  controller.abort();
  expect(await failure).toBeInstanceOf(StorageError);
});

describe('a CRAI index', () => {
  const path = `${fixturePathOf('reads.cram')}&referenceName=chr1&start=1000&end=3000`;

  test('is parsed by the workers', async () => {
    const observed = observeTransforms(workers);
    const expected = await fetchTicket(fixtureHandler({ limits: { inlineBytes: 0 } }), path);
    const actual = await fetchTicket(fixtureHandler({ limits: { inlineBytes: 0 }, workers: observed }), path);
    expect(actual.htsget.urls.length).toBe(expected.htsget.urls.length);
    expect(observed.opened).toMatchObject([{ description: { kind: 'crai' } }]);
  });

  test.each([undefined, 'workers'] as const)('that is corrupt or too long is an IndexError, with %s', async (kind) => {
    for (const [text, limits] of [
      ['garbage', {}],
      ['0\t1\t1\t1\t1\t1\n'.repeat(100), { indexBytes: 1300 }],
    ] as const) {
      const errors: unknown[] = [];
      const index = memorySource(new TextEncoder().encode(text), { key: 'index', version: '1' });
      const handler = fixtureHandler(
        { limits, onError: (error) => errors.push(error), ...(kind && { workers }) },
        { a: [{ ...fixtureFile('reads.cram'), index }] },
      );
      const response = await handler(new Request('http://localhost/reads/a?format=CRAM&referenceName=chr1'));
      expect(response.status).toBe(500);
      expect(errors).toMatchObject([
        { name: 'IndexError', code: text === 'garbage' ? 'INVALID_DATA' : 'LIMIT_EXCEEDED' },
      ]);
    }
  });
});

describe('a compressed index', () => {
  const path = '/reads/a?referenceName=chr1&start=1000&end=3000';

  /** An index that is longer than those which are decompressed at once: gzip may have any number of empty members. */
  function longIndex(content = readFixture('reads.bam.bai')): ByteSource {
    const empty = gzipSync(new Uint8Array(0));
    const bytes = Buffer.concat([gzipSync(content), ...Array.from({ length: 4000 }, () => empty)]);
    return memorySource(new Uint8Array(bytes), { key: 'index', version: '1' });
  }

  function open(index: ByteSource, options: Parameters<typeof fixtureHandler>[0]): ReturnType<typeof fixtureHandler> {
    return fixtureHandler({ limits: { inlineBytes: 0 }, ...options }, { a: [{ ...fixtureFile('reads.bam'), index }] });
  }

  test('is decompressed by the workers', async () => {
    const observed = observeTransforms(workers);
    const expected = await fetchTicket(open(longIndex(), {}), path);
    const actual = await fetchTicket(open(longIndex(), { workers: observed }), path);
    expect(actual.htsget.urls.length).toBe(expected.htsget.urls.length);
    expect(observed.opened).toMatchObject([{ description: { kind: 'decompress' } }]);
  });

  test.each([undefined, 'workers'] as const)('that is corrupt or too long is an IndexError, with %s', async (kind) => {
    for (const [index, limits, code] of [
      [longIndex(new TextEncoder().encode('garbage')), {}, 'INVALID_MAGIC'],
      [longIndex(new Uint8Array(200_000)), { indexBytes: 190_000 }, 'LIMIT_EXCEEDED'],
    ] as const) {
      const errors: unknown[] = [];
      const handler = open(index, { limits, onError: (error) => errors.push(error), ...(kind && { workers }) });
      const response = await handler(new Request(new URL(path, 'http://localhost')));
      expect(response.status).toBe(500);
      expect(errors).toMatchObject([{ name: 'IndexError', code }]);
    }
  });
});
