import { pathToFileURL } from 'node:url';
import type { ByteSource } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { fromBufferFilehandle } from '@htskit/storage/filehandle';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import * as buffers from 'generic-filehandle';
import { BlobFile, LocalFile, RemoteFile } from 'generic-filehandle2';
import { beforeAll, describe, expect, test } from 'vitest';
import { openAlignments, openVariants, type RecordSource } from '../../src/index.js';
import { collect, samLines, vcfLines } from '../expected-records.js';
import { serveFixtures, serveHtsget } from '../file-server.js';

const region = { referenceName: 'chr1', start: 30_000, end: 31_000 };
const [bam, bai] = [fixturePath('reads.bam'), fixturePath('reads.bam.bai')];
let expected: string[] = [];

beforeAll(async () => {
  const file = await openAlignments(bam);
  expected = await samLines({ header: file.header, records: file.records(region) });
  await file.close();
});

test('compares many records', () => {
  expect(expected.length).toBeGreaterThan(20);
});

const SOURCES: Readonly<Record<string, () => { source: RecordSource; index?: RecordSource }>> = {
  'a path': () => ({ source: bam }),
  'a file URL': () => ({ source: pathToFileURL(bam) }),
  'a path with an index elsewhere': () => ({ source: bam, index: pathToFileURL(bai) }),
  'a ByteSource': () => ({
    source: memorySource(readFixture('reads.bam')),
    index: memorySource(readFixture('reads.bam.bai')),
  }),
  'a filehandle of generic-filehandle2': () => ({ source: new LocalFile(bam), index: new LocalFile(bai) }),
  'a Blob in a filehandle of generic-filehandle2': () => ({
    source: new BlobFile(new Blob([new Uint8Array(readFixture('reads.bam'))])),
    index: new LocalFile(bai),
  }),
  'a filehandle of generic-filehandle 3': () => ({
    source: fromBufferFilehandle(new buffers.LocalFile(bam)),
    index: fromBufferFilehandle(new buffers.LocalFile(bai)),
  }),
};

test.each(Object.keys(SOURCES))('reads %s', async (name) => {
  const { source, ...options } = SOURCES[name]?.() ?? { source: '' };
  const file = await openAlignments(source, options);
  expect(await samLines({ header: file.header, records: file.records(region) })).toEqual(expected);
  await file.close();
});

describe('over HTTP', () => {
  test('reads a URL, whose index is beside it', async () => {
    const { origin, requests } = await serveFixtures();
    const file = await openAlignments(`${origin}/reads.bam?token=1`);
    expect(await samLines({ header: file.header, records: file.records(region) })).toEqual(expected);
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(['/reads.bam', '/reads.bam.bai']));
  });

  test('reads the bytes of a region once', async () => {
    const { origin, requests } = await serveFixtures();
    const file = await openAlignments(new URL(`${origin}/reads.bam`));
    const first = await file.count(region);
    const { length } = requests;
    expect(await file.count(region)).toBe(first);
    expect(await file.count({ ...region, end: region.start + 100 })).toBeGreaterThan(0);
    expect(requests.length).toBe(length);
  });

  test('reads again what the budget of the cache does not hold', async () => {
    const { origin, requests } = await serveFixtures();
    const file = await openAlignments(`${origin}/reads.bam`, { cacheBytes: 0 });
    const first = await file.count(region);
    const { length } = requests;
    expect(await file.count(region)).toBe(first);
    expect(requests.length).toBe(length + 1);
  });

  test('reads parts of a file that are near each other with one request', async () => {
    const { origin, requests } = await serveFixtures();
    const file = await openAlignments(`${origin}/reads.bam`, { cacheBytes: 0 });
    const near = Array.from({ length: 20 }, (_, i) => ({ ...region, start: 30_000 + 200 * i, end: 30_010 + 200 * i }));
    await file.count(region);
    const { length } = requests;
    expect(await file.count(near)).toBeGreaterThan(20);
    expect(requests.length).toBe(length + 1);
  });

  test('reads the index once for concurrent regions', async () => {
    const { origin, requests } = await serveFixtures();
    const file = await openAlignments(`${origin}/reads.bam`);
    await Promise.all([file.count(region), file.count(region), file.count({ referenceName: 'chr2' })]);
    expect(
      requests.filter(({ path, range }) => path.endsWith('.bai') && range !== undefined).length,
    ).toBeLessThanOrEqual(2);
  });

  test('keeps the connection for a filehandle without versions, and caches its bytes', async () => {
    const { origin, requests } = await serveFixtures();
    const source = new RemoteFile(`${origin}/reads.bam`);
    const file = await openAlignments(source, { index: bai });
    const first = await file.count(region);
    const { length } = requests;
    expect(await file.count(region)).toBe(first);
    expect(requests.length).toBe(length);
    expect(first).toBe(expected.length);
  });
});

describe('over htsget', () => {
  test('reads reads and variants of a service', async () => {
    const origin = await serveHtsget({
      a: ['reads.bam'],
      b: ['variants.vcf.gz'],
      c: ['variants.bcf'],
      d: ['v31.cram'],
    });
    const file = await openAlignments({ htsget: { baseUrl: origin, datatype: 'reads', id: 'a' } });
    expect(await samLines({ header: file.header, records: file.records(region) })).toEqual(expected);
    const local = await openVariants(fixturePath('variants.vcf.gz'));
    const wanted = [region, { referenceName: 'chr2', start: 100, end: 5000 }];
    const lines = await vcfLines(local.records(wanted));
    expect(lines.length).toBeGreaterThan(20);
    for (const source of [
      { htsget: `${origin}/variants/b` },
      { htsget: `${origin}/variants/c`, format: 'BCF' as const },
    ]) {
      const variants = await openVariants(source);
      expect(await vcfLines(variants.records(wanted))).toEqual(lines);
      expect(await variants.count()).toBe(await local.count());
    }
    await local.close();
    const cram = await openAlignments({ htsget: `${origin}/reads/d`, format: 'CRAM' });
    const whole = await openAlignments(fixturePath('v31.cram'));
    expect(cram.format).toBe('CRAM');
    expect(await samLines({ header: cram.header, records: cram.records(region) })).toEqual(
      await samLines({ header: whole.header, records: whole.records(region) }),
    );
    expect(await cram.count({ referenceName: '*' })).toBe(60);
    await whole.close();
  });

  test('requests nothing for an empty region, and rejects an unknown reference', async () => {
    const origin = await serveHtsget({ a: ['reads.bam'] });
    const file = await openAlignments({ htsget: `${origin}/reads/a` });
    expect(await file.count({ ...region, end: region.start })).toBe(0);
    await expect(file.count({ referenceName: '1' })).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  });
});

test('leaves sources of the caller open, and closes those it has opened', async () => {
  let closed = 0;
  const inner = fileSource(bam);
  const source: ByteSource = {
    key: inner.key,
    stat: (options) => inner.stat(options),
    read: (range, options) => inner.read(range, options),
    stream: (range, options) => inner.stream(range, options),
    close: async () => {
      closed++;
    },
  };
  const file = await openAlignments(source, { index: bai });
  expect(await collect(file.recordBytes(region))).not.toEqual([]);
  await file.close();
  expect(closed).toBe(0);
  await inner.close();
});
