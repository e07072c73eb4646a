import { readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocationObjectsOptions, locationObjects } from '../../src/objects/bucket-objects.js';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { startBucket, type TestBucket } from './bucket.js';
import { findFiles } from './find-files.js';

let bucket: TestBucket;

beforeEach(async () => {
  bucket = await startBucket();
});
afterEach(() => bucket.server.close());

function open(key: string, options: Partial<LocationObjectsOptions> = {}): ObjectCatalogue {
  return locationObjects({ kind: 's3', bucket: bucket.server.bucket, key }, { storage: bucket.storage, ...options });
}

function sizeOf(fixture: string): number {
  return readFixture(fixture).length;
}

test('uses the key after the prefix without the extension as the id, and finds the index beside it', async () => {
  await bucket.put({
    'trio/cohort/NA1.bam': 'reads.bam',
    'trio/cohort/NA1.bai': 'reads.bam.bai',
    'trio/cohort/NA1.cram': 'reads.cram',
    'trio/cohort/NA1.cram.crai': 'reads.cram.crai',
    'trio/cohort/NA1.vcf.gz': 'variants.vcf.gz',
    'trio/cohort/NA1.vcf.gz.tbi': 'variants.vcf.gz.tbi',
    'trio/cohort/NA1.bcf': 'variants.bcf',
    'trio/cohort/NA1.bcf.csi': 'variants.bcf.csi',
    'trio/bare.bam': 'straddle.bam',
  });
  const finder = open('trio');
  expect(await findFiles(finder, 'cohort/NA1')).toEqual([
    ['BAM', sizeOf('reads.bam'), sizeOf('reads.bam.bai')],
    ['CRAM', sizeOf('reads.cram'), sizeOf('reads.cram.crai')],
  ]);
  expect(await findFiles(finder, 'cohort/NA1', 'variants')).toEqual([
    ['VCF', sizeOf('variants.vcf.gz'), sizeOf('variants.vcf.gz.tbi')],
    ['BCF', sizeOf('variants.bcf'), sizeOf('variants.bcf.csi')],
  ]);
  expect(await findFiles(finder, 'bare')).toEqual([['BAM', sizeOf('straddle.bam'), undefined]]);
  expect(await findFiles(finder, 'NA1')).toBeUndefined();
  expect(await findFiles(open(''), 'trio/bare')).toHaveLength(1);
  expect(await findFiles(open('tri'), 'o/bare')).toBeUndefined();
  expect(bucket.requests.filter((request) => !request.startsWith('HEAD '))).toEqual([]);
});

test('knows where the bigWig of reads would be, and does not look it up', async () => {
  await bucket.put({ 'trio/a.bam': 'reads.bam', 'trio/a.bam.coverage.bw': 'reads.cram', 'trio/a.bcf': 'variants.bcf' });
  const finder = open('trio');
  const [reads] = (await finder.resolve('a', 'reads')) ?? [];
  expect(bucket.requests.filter((request) => request.includes('coverage'))).toEqual([]);
  expect(await reads?.coverage?.stat()).toMatchObject({ size: sizeOf('reads.cram') });
  const [variants] = (await finder.resolve('a', 'variants')) ?? [];
  expect(variants).not.toHaveProperty('coverage');
});

test('caches lookups, including unsuccessful ones, and shares concurrent ones', async () => {
  await bucket.put({ 'a.bam': 'reads.bam' });
  let now = 0;
  const finder = open('', { now: () => now });
  await Promise.all([finder.resolve('a', 'reads'), finder.resolve('a', 'reads'), finder.resolve('b', 'reads')]);
  expect(bucket.requests.toSorted()).toEqual(
    ['a.bam', 'a.cram', 'a.bam.bai', 'a.bai', 'a.bam.csi', 'a.csi', 'b.bam', 'b.cram']
      .map((key) => `HEAD ${key}`)
      .toSorted(),
  );
  await bucket.put({ 'b.bam': 'reads.bam' });
  now = 9_999;
  expect(await finder.resolve('b', 'reads')).toBeUndefined();
  expect(bucket.requests).toEqual([]);
  now = 10_000;
  expect(await finder.resolve('b', 'reads')).toHaveLength(1);
});

test('treats denied files as missing, unless all files of an object are denied', async () => {
  await bucket.put({ 'a.bam': 'reads.bam', 'b.bam': 'reads.bam' });
  bucket.server.interfere = ({ key }) =>
    key === 'a.bam' ? undefined : { status: 403, headers: {}, body: new Uint8Array() };
  const finder = open('');
  expect(await findFiles(finder, 'a')).toEqual([['BAM', sizeOf('reads.bam'), undefined]]);
  await expect(finder.resolve('b', 'reads')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
});

test('reports a failing store instead of a missing object, and retries', async () => {
  await bucket.put({ 'a.bam': 'reads.bam' });
  bucket.server.interfere = () => ({ status: 400, headers: {}, body: new Uint8Array() });
  const finder = open('');
  await expect(finder.resolve('a', 'reads')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  bucket.server.interfere = () => undefined;
  expect(await finder.resolve('a', 'reads')).toHaveLength(1);
});

test.each([`${'a'.repeat(1024)}`, '\uD800', `${'é'.repeat(512)}`])(
  'no request is made for an id that no key can be',
  async (id) => {
    const finder = open('');
    expect(await finder.resolve(id, 'reads')).toBeUndefined();
    expect(bucket.requests).toEqual([]);
  },
);

test('finds a file with a key of the greatest length, whose index could have none', async () => {
  const id = 'x'.repeat(1020);
  await bucket.put({ [`${id}.bam`]: 'reads.bam' });
  expect(await open('').list()).toEqual([{ id, datatype: 'reads', formats: ['BAM'] }]);
  expect(await findFiles(open(''), id)).toEqual([['BAM', sizeOf('reads.bam'), undefined]]);
});

test('returns presigned URLs of the current version for presigned delivery only', async () => {
  await bucket.put({ 'a.bam': 'reads.bam' });
  const [proxied] = (await open('').resolve('a', 'reads')) ?? [];
  expect(proxied?.locate).toBeUndefined();
  const [file] = (await open('', { delivery: 'presigned' }).resolve('a', 'reads')) ?? [];
  const { version } = (await file?.data.stat()) ?? {};
  const { signal } = new AbortController();
  const location = await file?.locate?.({ start: 0, end: 4 }, { signal, version });
  expect(location?.url.startsWith(`${bucket.server.endpoint}/bucket/a.bam?`)).toBe(true);
  const headers = { ...location?.headers, range: 'bytes=0-3' };
  const response = await fetch(location?.url ?? '', { headers });
  expect(response.status).toBe(206);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(
    new Uint8Array(readFixture('a.bam'.replace('a', 'reads')).subarray(0, 4)),
  );
});

test('lists the objects of the first keys, without service-info', async () => {
  await bucket.put({
    'x/b.bam': 'reads.bam',
    'x/b.bam.bai': 'reads.bam.bai',
    'x/a.bcf': 'variants.bcf',
    'x/a.vcf.gz': 'variants.vcf.gz',
    'x/service-info.bam': 'reads.bam',
    'y/c.bam': 'reads.bam',
  });
  expect(await open('x').list()).toEqual([
    { id: 'a', datatype: 'variants', formats: ['VCF', 'BCF'] },
    { id: 'b', datatype: 'reads', formats: ['BAM'] },
  ]);
});
