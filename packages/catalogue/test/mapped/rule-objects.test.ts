import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startBucket } from '../objects/bucket.js';
import { findFiles } from '../objects/find-files.js';
import { openMappedObjects, startService } from './services.js';

const RULE = { kind: 'rule', match: '^(?<study>[^/]+)/(?<sample>.+)$' } as const;
const SIZES = [readFixture('reads.bam').length, readFixture('reads.bam.bai').length];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  mkdirSync(join(folder, 'data/EGA1/bam'), { recursive: true });
  for (const name of ['reads.bam', 'reads.bam.bai']) cpSync(fixturePath(name), join(folder, 'data/EGA1/bam', name));
  cpSync(fixturePath('v21.cram'), join(folder, 'data/EGA1/bam/reads.cram'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('serves files of a folder with their indexes', async () => {
  const location = `data/\${study}/bam/\${sample}.bam`;
  const catalogue = await openMappedObjects([{ ...RULE, location, folder, prefix: 'p' }]);
  expect(await findFiles(catalogue, 'p/EGA1/reads')).toEqual([['BAM', ...SIZES]]);
  expect(await findFiles(catalogue, 'p/EGA1/reads', 'variants')).toBeUndefined();
  expect(await findFiles(catalogue, 'EGA1/reads')).toBeUndefined();
  expect(await findFiles(catalogue, 'p/EGA1/other')).toBeUndefined();
  expect(await catalogue.list()).toEqual([]);
});

test('serves all formats of a location without an extension', async () => {
  const catalogue = await openMappedObjects([{ ...RULE, location: `data/\${study}/bam/\${sample}`, folder }]);
  expect((await findFiles(catalogue, 'EGA1/reads'))?.length).toBe(2);
});

test('never leaves the folder of the template, by a path or a link', async () => {
  writeFileSync(join(folder, 'secret.bam'), 'secret');
  symlinkSync(join(folder, 'secret.bam'), join(folder, 'data/EGA1/bam/link.bam'));
  const catalogue = await openMappedObjects([{ ...RULE, location: `data/\${study}/bam/\${sample}.bam`, folder }]);
  for (const id of ['EGA1/link', 'EGA1/../../../secret', '../secret', 'EGA1/..%2f..%2fsecret', 'EGA1/a\0']) {
    expect(await findFiles(catalogue, id), id).toBeUndefined();
  }
});

test('serves files of a bucket, and requests nothing for an id that does not match', async () => {
  const bucket = await startBucket();
  onTestFinished(() => bucket.server.close());
  await bucket.put({ 'x/EGA1/bam/a.bam': 'reads.bam', 'x/EGA1/bam/a.bam.bai': 'reads.bam.bai' });
  const location = `s3://bucket/x/\${study}/bam/\${sample}.bam`;
  const catalogue = await openMappedObjects([{ ...RULE, location, folder }], { storage: bucket.storage });
  expect(await findFiles(catalogue, 'nothing')).toBeUndefined();
  expect(bucket.requests).toEqual([]);
  expect(await findFiles(catalogue, 'EGA1/a')).toEqual([['BAM', ...SIZES]]);
});

test('serves URLs of one host, with the index beside the data or elsewhere', async () => {
  const { origin, requests } = await startService(({ url }) => {
    const body = url?.endsWith('.bai') ? readFixture('reads.bam.bai') : readFixture('reads.bam');
    return ['/EGA1/a%20b.bam', '/EGA1/a%20b.bam.bai', '/i/a%20b.bai'].includes(url ?? '') ? { body } : { status: 404 };
  });
  const location = `${origin}/\${study}/\${sample}.bam`;
  const catalogue = await openMappedObjects([
    { ...RULE, location, folder, prefix: 'p' },
    { ...RULE, location, index: `${origin}/i/\${sample}.bai`, folder },
  ]);
  expect(await findFiles(catalogue, 'p/EGA1/a b')).toEqual([['BAM', ...SIZES]]);
  expect(await findFiles(catalogue, 'EGA1/a b')).toEqual([['BAM', ...SIZES]]);
  expect(await findFiles(catalogue, 'EGA1/absent')).toBeUndefined();
  expect(requests.some(({ url }) => url === '/i/a%20b.bai')).toBe(true);
});

test('an expression or template that is invalid is refused when it is opened', async () => {
  await expect(openMappedObjects([{ ...RULE, location: `s3://\${study}/x.bam`, folder }])).rejects.toThrow(RangeError);
  await expect(openMappedObjects([{ ...RULE, match: '(', location: 'x.bam', folder }])).rejects.toThrow(RangeError);
});
